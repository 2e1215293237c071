// What the sandbox costs: to start something in it, and the processor time of a suite, inside against outside in turn.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Confined, confine } from '@treadle/sandbox/confine'
import { needSandbox } from '@treadle/sandbox/testing/need-sandbox'
import { expect, type TestContext, test } from 'vitest'
import { median, round, table } from '../start/numbers.ts'

const STARTS = 30
const SUITES = 5
const ROUNDS = '24'

const print = (text: string) => process.stdout.write(text)
const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: '/nonexistent' }

async function inFolder(
  context: TestContext,
  act: (folder: string, confined: Confined) => void,
): Promise<void> {
  if (!(await needSandbox(context))) return
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-sandbox-')))
  const wanted = { mode: 'required', purpose: 'suite', argv: [], cwd: folder, network: 'own', env } as const
  const before = performance.now()
  const confined = await confine(wanted)
  if (confined.is === 'refused') throw new Error(confined.why)
  const first = performance.now() - before
  const again = performance.now()
  const second = await confine(wanted)
  print(`to make ready: ${round(first, 0)} ms at first, ${round(performance.now() - again, 0)} ms again\n`)
  if (second.is === 'ready') second.close()
  try {
    act(folder, confined)
  } finally {
    confined.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(words: readonly string[], cwd: string): { ms: number; said: string } {
  const [program = '', ...args] = words
  const started = performance.now()
  const said = execFileSync(program, args, { cwd, env, encoding: 'utf8' })
  return { ms: performance.now() - started, said }
}

test('to start a program inside takes at most 50 ms more', (context) =>
  inFolder(context, (folder, { before }) => {
    const times = { outside: [] as number[], inside: [] as number[] }
    for (let turn = 0; turn < STARTS; turn += 1) {
      times.outside.push(run(['/bin/true'], folder).ms)
      times.inside.push(run([...before, '/bin/true'], folder).ms)
    }
    const [outside, inside] = [median(times.outside), median(times.inside)]
    const best = Math.min(...times.inside) - Math.min(...times.outside)
    print(
      table(`an empty command, ms, ${STARTS} pairs`, [
        ['', 'outside', 'inside', 'more'],
        ['median', round(outside, 1), round(inside, 1), round(inside - outside, 1)],
        ['best', round(Math.min(...times.outside), 1), round(Math.min(...times.inside), 1), round(best, 1)],
      ]),
    )
    expect(best).toBeLessThanOrEqual(50)
  }))

test('a suite takes at most 3 % more processor time inside', (context) =>
  inFolder(context, (folder, { before }) => {
    copyFileSync(join(import.meta.dirname, 'suite.mjs'), join(folder, 'suite.mjs'))
    const suite = [process.execPath, join(folder, 'suite.mjs'), ROUNDS]
    const seconds = { outside: [] as number[], inside: [] as number[] }
    for (let turn = 0; turn < SUITES; turn += 1) {
      seconds.outside.push(Number(run(suite, folder).said))
      seconds.inside.push(Number(run([...before, ...suite], folder).said))
    }
    const [outside, inside] = [median(seconds.outside), median(seconds.inside)]
    const best = Math.min(...seconds.inside) / Math.min(...seconds.outside)
    print(
      table(`a suite, processor seconds, ${SUITES} pairs`, [
        ['', 'outside', 'inside', 'ratio'],
        ['median', round(outside, 2), round(inside, 2), round(inside / outside, 3)],
        [
          'best',
          round(Math.min(...seconds.outside), 2),
          round(Math.min(...seconds.inside), 2),
          round(best, 3),
        ],
      ]),
    )
    expect(best).toBeLessThanOrEqual(1.03)
  }))
