// Installs StrykerJS into a scratch folder and runs it on a reference program.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rate } from './comparison.ts'
import { materialise, nodeModules } from './materialise.ts'
import { secondsSince, withFolder } from './probe.ts'
import { run } from './suites.ts'

const version = '10.1.1'
const clock = fileURLToPath(new URL('./stryker-clock.ts', import.meta.url))
// A mutant with one of these was run by tests; the others cost next to nothing and count for nothing.
const ran = new Set(['Killed', 'Survived', 'Timeout', 'RuntimeError'])

export type Installed = { is: 'installed' } | { is: 'failed'; why: string; command: string }

// The same version of vitest on both sides.
function packages(): string[] {
  const { version: vitest } = readJson<{ version: string }>(join(nodeModules, 'vitest/package.json'))
  return [`@stryker-mutator/core@${version}`, `@stryker-mutator/vitest-runner@${version}`, `vitest@${vitest}`]
}

// A folder that has it already is taken as it is.
export async function installStryker(folder: string): Promise<Installed> {
  mkdirSync(folder, { recursive: true })
  if (existsSync(bin(folder)) && readJson<{ version: string }>(manifest(folder)).version === version)
    return { is: 'installed' }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages()]
  const command = `npm ${args.join(' ')}`
  try {
    const { code, output } = await run(args, folder, 600_000, 'npm')
    if (code === 0 && existsSync(bin(folder))) return { is: 'installed' }
    return { is: 'failed', why: code === null ? 'npm took too long' : lastLine(output), command }
  } catch (error) {
    return { is: 'failed', why: error instanceof Error ? error.message : String(error), command }
  }
}

// The untouched program: its tests must pass, or StrykerJS does not begin.
export async function rateOfStryker(tools: string, program: string, workers: number): Promise<Rate> {
  return await withFolder(async (root) => {
    materialise(root, program, [])
    rmSync(join(root, 'node_modules'))
    symlinkSync(join(tools, 'node_modules'), join(root, 'node_modules'), 'dir')
    const config = {
      testRunner: 'vitest',
      coverageAnalysis: 'perTest',
      concurrency: workers,
      mutate: ['src/**/*.ts'],
      plugins: ['@stryker-mutator/vitest-runner', clock],
      reporters: ['clock'],
      // The one it would rewrite needs a compiler, which no mutant needs.
      tsconfigFile: 'no-tsconfig.json',
      allowConsoleColors: false,
    }
    writeFileSync(join(root, 'stryker.config.json'), JSON.stringify(config))
    const started = performance.now()
    const { code, output } = await run([bin(tools), 'run'], root, 900_000)
    const wholeSeconds = secondsSince(started)
    const report = join(root, 'stryker-clock.json')
    if (code !== 0 || !existsSync(report))
      throw new Error(`StrykerJS on ${program}:\n${output.slice(-2_000)}`)
    const { testingSeconds, statuses } = readJson<Clock>(report)
    const candidates = Object.entries(statuses).reduce(
      (sum, [is, count]) => sum + (ran.has(is) ? count : 0),
      0,
    )
    return { candidates, timedOut: statuses.Timeout ?? 0, searchSeconds: testingSeconds, wholeSeconds }
  })
}

type Clock = { testingSeconds: number; statuses: Record<string, number> }

function bin(folder: string): string {
  return join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
}

function manifest(folder: string): string {
  return join(folder, 'node_modules/@stryker-mutator/core/package.json')
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
