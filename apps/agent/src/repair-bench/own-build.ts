// The build that a project's own test script runs before its tests: tests that load what it makes need it first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@treadle/repair/validate'

const BUILDS = /\b(build|compile|tsc|tsup|babel|rollup|esbuild|webpack|swc|parcel|coffee|transpile|prepare)\b/
const CHECKS = /\b(lint|eslint|standard|prettier|jshint|jscs|xo|tslint|noEmit|type-?check|audit)\b/
const BUILD_MS = 5 * 60_000
const LINE_CHARS_MAX = 160

/** Null: the tests need none. */
export function buildOf(root: string): string | null {
  const { pretest = '', test = '' } = scriptsIn(root)
  const steps = [...stepsOf(pretest), ...stepsOf(test)].filter(
    (step) => BUILDS.test(step) && !CHECKS.test(step),
  )
  return steps.length === 0 ? null : steps.join(' && ')
}

function stepsOf(script: string): string[] {
  return script.split('&&').flatMap((step) => (step.trim() === '' ? [] : [step.trim()]))
}

function scriptsIn(root: string): Readonly<Record<string, string>> {
  try {
    return (
      (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts?: Record<string, string> })
        .scripts ?? {}
    )
  } catch {
    return {}
  }
}

/** A test command after the build. */
export function withBuild(root: string, command: string): string {
  const build = buildOf(root)
  return build === null ? command : `${build} && ${command}`
}

interface BuildOptions {
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Why it could not be built; null: it could, or there is nothing to build. */
export async function whyNotBuilt(root: string, { env, signal }: BuildOptions): Promise<string | null> {
  const build = buildOf(root)
  if (build === null) return null
  const ran = await runCommand(root, build, { env, signal, timeoutMs: BUILD_MS })
  signal.throwIfAborted()
  if (ran.is === 'passed') return null
  const last = ran.tail.trim().split('\n').at(-1)?.trim().slice(0, LINE_CHARS_MAX) ?? ''
  return ran.is === 'timed_out' ? `its build did not end: ${build}` : `its build fails (${build}): ${last}`
}
