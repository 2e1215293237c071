// treadle fix killed with SIGKILL at a chosen moment, taken up again, and compared with one that nobody disturbed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopState } from '@treadle/contracts/loop-state'
import { expect } from 'vitest'
import { run, start } from '../kit/command.ts'
import { kill, processesOf } from '../kit/processes.ts'
import {
  type Attempts,
  hold,
  moduleOf,
  moduleText,
  repair,
  type ShopOptions,
  TEST_SCRIPT,
} from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

/** Each run of the tests leaves a line and a file of its own, and waits as long as it is told to. */
const TESTS = `echo run >> ../../../../home/runs
n=$(wc -l < ../../../../home/runs)
echo left > left-by-run-$((n)).out
while [ -e ../../../../home/hold-run-$((n)) ]; do sleep 0.05; done
${TEST_SCRIPT}`

const ATTEMPTS: Attempts = [
  [
    { write: { file: 'notes.txt', text: 'half an idea\n' } },
    hold('build'),
    { write: { file: 'notes.txt', text: 'idea\n' } },
  ],
  [{ delete: { file: 'notes.txt' } }, hold('improve'), repair(1)],
]

export const SHOP: ShopOptions = { scripts: [ATTEMPTS], files: { 'test.sh': TESTS } }

interface State {
  readonly item: { readonly state: string }
  readonly run: { readonly history: readonly { readonly phase: string }[] }
}

/** What must be so before the kill, and what the engine and the tests are told to wait for until then. */
export interface Moment {
  readonly name: string
  readonly holds: readonly ('build' | 'improve' | `hold-run-${number}`)[]
  is(seen: { state: State | null; runs: number; notes: string | null }): boolean
}

const history = (length: number) => (seen: { state: State | null }) =>
  (seen.state?.run.history.length ?? 0) >= length

export const MOMENTS: readonly Moment[] = [
  { name: 'in the tests before any change', holds: ['hold-run-1'], is: ({ runs }) => runs === 1 },
  { name: 'in the build', holds: ['build'], is: ({ notes }) => notes === 'half an idea\n' },
  { name: 'after the build', holds: [], is: history(1) },
  { name: 'in the tests of the build', holds: ['hold-run-2'], is: ({ runs }) => runs === 2 },
  { name: 'after the tests of the build', holds: [], is: history(2) },
  {
    name: 'in the improvement',
    holds: ['improve'],
    is: ({ state, notes }) => history(2)({ state }) && notes === null,
  },
  { name: 'after the improvement', holds: [], is: history(3) },
  { name: 'in the tests of the improvement', holds: ['hold-run-3'], is: ({ runs }) => runs === 3 },
  { name: 'after the delivery', holds: [], is: history(5) },
]

interface Fixed {
  readonly outcome: string
  readonly branch: string
  readonly loop: LoopState
}

export interface Result {
  readonly outcome: string
  readonly tree: string
  readonly phases: readonly string[]
  readonly diffs: readonly string[]
  readonly gates: readonly string[]
}

export async function undisturbed(workspace: Workspace): Promise<Result> {
  for (const name of ['build', 'improve']) writeFileSync(join(workspace.home, name), '')
  const ended = await run(workspace, ['fix', '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  return resultOf(workspace, JSON.parse(ended.stdout) as Fixed)
}

/** Kills the command at a moment: the process that works, and the one that started it. */
export async function killAt(workspace: Workspace, moment: Moment): Promise<void> {
  const { home } = workspace
  for (const name of ['build', 'improve'] as const)
    if (!moment.holds.includes(name)) writeFileSync(join(home, name), '')
  for (const name of moment.holds) if (name.startsWith('hold-')) writeFileSync(join(home, name), '')
  const started = start(workspace, ['fix'])
  let over = false
  void started.ended.then(() => (over = true))
  // Some moments last a few milliseconds: whoever looks rarely comes too late.
  const end = performance.now() + 60_000
  while (!over && !moment.is(look(workspace))) {
    expect(performance.now(), `never ${moment.name}`).toBeLessThan(end)
    await sleep(3)
  }
  expect(over, `it ended before it was ${moment.name}`).toBe(false)
  for (const pid of processesOf(workspace)) kill(pid)
  started.child.kill('SIGKILL')
  await started.ended
}

/** Killed, and then taken up again. */
export async function killedAt(
  workspace: Workspace,
  moment: Moment,
): Promise<{ result: Result; stderr: string }> {
  await killAt(workspace, moment)
  const { home } = workspace
  for (const name of moment.holds) {
    if (name.startsWith('hold-')) rmSync(join(home, name))
    else writeFileSync(join(home, name), '')
  }
  const ended = await run(workspace, ['fix', '--resume', '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  return { result: resultOf(workspace, JSON.parse(ended.stdout) as Fixed), stderr: ended.stderr }
}

function look({ home, paths }: Workspace) {
  const runs = join(home, 'runs')
  return {
    state: stateOf(paths.fixes),
    runs: existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').length - 1 : 0,
    notes: notesIn(paths.worktrees),
  }
}

function stateOf(folder: string): State | null {
  const name = existsSync(folder)
    ? readdirSync(folder).find((each) => /^[0-9a-f-]{36}\.json$/.test(each))
    : undefined
  return name === undefined ? null : (JSON.parse(readFileSync(join(folder, name), 'utf8')) as State)
}

function notesIn(folder: string): string | null {
  const name = existsSync(folder) ? readdirSync(folder).find((each) => each.startsWith('fix-')) : undefined
  const file = join(folder, name ?? 'none', 'notes.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function resultOf({ git }: Workspace, fixed: Fixed): Result {
  expect(git('show', `${fixed.branch}:${moduleOf(1)}`)).toBe(moduleText(1, 'right').trim())
  expect(git('status', '--porcelain')).toBe('')
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  return {
    outcome: fixed.outcome,
    tree: git('rev-parse', `${fixed.branch}^{tree}`),
    phases: fixed.loop.history.map(({ phase, iteration, outcome }) => `${phase} ${iteration} ${outcome}`),
    diffs: fixed.loop.history.map(({ diff }) => diff),
    gates: Object.entries(fixed.loop.gates).map(([gate, result]) => `${gate} ${result?.is}`),
  }
}
