// Work that is an agent's, done by a program of the agent in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { COMPILED } from './compile-cache.ts'
import type { CliEnv } from './env.ts'

export const FIX_MAIN = fileURLToPath(new URL('../../agent/src/fix.ts', import.meta.url))
export const VERIFY_MAIN = fileURLToPath(new URL('../../agent/src/verify.ts', import.meta.url))

export const SURVEY_MAIN = fileURLToPath(new URL('../../agent/src/survey.ts', import.meta.url))

type Options = Record<string, string | boolean | undefined>

/** Runs a program of the agent to its end with our streams; resolves to its exit code. */
export async function runAgentProgram(env: CliEnv, program: string, options: Options): Promise<number> {
  const child = start(env, program, { options, stdout: 'inherit' })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Runs a program of the agent to its end, and reads what it prints. */
export async function readAgentProgram(
  env: CliEnv,
  program: string,
  options: Options,
): Promise<{ readonly code: number; readonly stdout: string }> {
  const child = start(env, program, { options, stdout: 'pipe' })
  const [stdout, [code]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code: code ?? 1, stdout }
}

function start(
  env: CliEnv,
  program: string,
  { options, stdout }: { readonly options: Options; readonly stdout: 'inherit' | 'pipe' },
): ChildProcess {
  const args = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, value]
  })
  return spawn(process.execPath, [program, ...args], {
    stdio: ['inherit', stdout, 'inherit'],
    env: { ...env.all, NODE_COMPILE_CACHE: COMPILED },
  })
}
