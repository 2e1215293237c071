// Runs suites of many projects at once, or one suite of one project.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnBound } from '@treadle/process/spawn'
import { nodeModules, type Runner, type Suite } from './materialise.ts'

export type Verdict = 'green' | 'red' | 'timeout'

const reporter = fileURLToPath(new URL('./node-reporter.ts', import.meta.url))
const vitest = join(nodeModules, 'vitest/vitest.mjs')

export async function runSuite(folder: string, runner: Runner, suite: Suite): Promise<Verdict> {
  const dir = suite === 'visible' ? 'test' : 'heldout'
  const args =
    runner === 'vitest'
      ? [vitest, 'run', '--root', folder, '--dir', join(folder, dir)]
      : ['--test', `${dir}/*.test.ts`]
  const { code } = await run(args, folder, 60_000)
  if (code === null) return 'timeout'
  return code === 0 ? 'green' : 'red'
}

// All test files below a folder, by path: did every test in it pass?
export async function runFiles(
  folder: string,
  runner: Runner,
  files: readonly string[],
): Promise<Map<string, boolean>> {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args =
    runner === 'vitest'
      ? [
          vitest,
          'run',
          '--root',
          folder,
          '--pool=threads',
          '--no-isolate',
          '--maxWorkers=2',
          '--reporter=json',
        ]
      : ['--test', '--test-concurrency=2', `--test-reporter=${reporter}`]
  const output =
    runner === 'vitest' ? [`--outputFile=${report}`] : [`--test-reporter-destination=${report}`, ...files]
  await run([...args, ...output], folder, 600_000)
  return runner === 'vitest' ? readVitest(report) : readNode(report)
}

type VitestReport = { testResults: { name: string; status: string }[] }

function readVitest(path: string): Map<string, boolean> {
  const report: VitestReport = JSON.parse(readFileSync(path, 'utf8'))
  return new Map(report.testResults.map((one) => [one.name, one.status === 'passed']))
}

function readNode(path: string): Map<string, boolean> {
  const results = new Map<string, boolean>()
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { file, passed }: { file: string; passed: boolean } = JSON.parse(line)
    results.set(file, passed && (results.get(file) ?? true))
  }
  return results
}

type Ended = { code: number | null; output: string }

export function run(
  args: readonly string[],
  cwd: string,
  timeoutMs: number,
  program = process.execPath,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawnBound(program, args, { cwd })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    // The whole group ends, since a runner has children of its own.
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), timeoutMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: Buffer.concat(chunks).toString() })
    })
  })
}
