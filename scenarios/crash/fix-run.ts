// treadle fix killed with SIGKILL at a chosen moment, taken up again, and compared with one that nobody disturbed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopState } from '@treadle/contracts/loop-state'
import { expect } from 'vitest'
import { searchPath } from '../env.ts'
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

type GitStep = 'removal' | 'last-step'

/** A git that waits, where it is told to, before it does one of the steps that come after the delivery. */
const gitThatWaits = (home: string, git: string): string => `#!/bin/sh
step=none
case " $* " in
  *' worktree remove '*) step=removal ;;
  *' update-ref -d refs/heads/treadle/'*) step=last-step ;;
esac
if [ -e '${home}/hold-'$step ]; then
  echo $$ > '${home}/at.part'
  mv '${home}/at.part' '${home}/at-'$step
  while [ -e '${home}/hold-'$step ]; do sleep 0.05; done
fi
exec '${git}' "$@"
`

interface Seen {
  readonly state: State | null
  readonly runs: number
  readonly notes: string | null
  /** The step of git that is being waited with. */
  readonly git: GitStep | null
}

/**
 * What must be so before the kill, and what the engine, the tests and git are told to wait for until then: without
 * that a moment may be over before anybody looks.
 */
export interface Moment {
  readonly name: string
  readonly holds: readonly ('build' | 'improve' | `hold-run-${number}` | `hold-${GitStep}`)[]
  is(seen: Seen): boolean
}

const history = (length: number) => (seen: { state: State | null }) =>
  (seen.state?.run.history.length ?? 0) >= length

export const BEFORE_RESULT: Moment = {
  name: 'after its worktree is gone, before its result is said',
  holds: ['hold-last-step'],
  is: ({ git }) => git === 'last-step',
}

export const MOMENTS: readonly Moment[] = [
  { name: 'in the tests before any change', holds: ['hold-run-1'], is: ({ runs }) => runs === 1 },
  { name: 'in the build', holds: ['build'], is: ({ notes }) => notes === 'half an idea\n' },
  { name: 'after the build', holds: ['hold-run-2'], is: history(1) },
  { name: 'in the tests of the build', holds: ['hold-run-2'], is: ({ runs }) => runs === 2 },
  { name: 'after the tests of the build', holds: ['improve'], is: history(2) },
  {
    name: 'in the improvement',
    holds: ['improve'],
    is: ({ state, notes }) => history(2)({ state }) && notes === null,
  },
  { name: 'after the improvement', holds: ['hold-run-3'], is: history(3) },
  { name: 'in the tests of the improvement', holds: ['hold-run-3'], is: ({ runs }) => runs === 3 },
  {
    name: 'after the delivery',
    holds: ['hold-removal'],
    is: ({ state, git }) => history(5)({ state }) && git === 'removal',
  },
  BEFORE_RESULT,
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
  const started = start(workspace, ['fix'], { added: { PATH: pathWithGitThatWaits(home) } })
  let over = false
  void started.ended.then(() => (over = true))
  const end = performance.now() + 60_000
  while (!over && !moment.is(look(workspace))) {
    expect(performance.now(), `never ${moment.name}`).toBeLessThan(end)
    await sleep(3)
  }
  expect(over, `it ended before it was ${moment.name}: ${started.seen()}`).toBe(false)
  for (const pid of processesOf(workspace)) kill(pid)
  started.child.kill('SIGKILL')
  // Only now: whoever waited for it would have gone on.
  for (const step of GIT_STEPS) if (existsSync(join(home, `at-${step}`))) kill(waitingGit(home, step))
  await started.ended
}

const GIT_STEPS: readonly GitStep[] = ['removal', 'last-step']

function waitingGit(home: string, step: GitStep): number {
  return Number(readFileSync(join(home, `at-${step}`), 'utf8'))
}

function pathWithGitThatWaits(home: string): string {
  const folder = join(home, 'bin')
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'git'), gitThatWaits(home, git), { mode: 0o755 })
  return `${folder}:${searchPath()}`
}

/** From here on nothing waits any more. */
export function endHolds({ home }: Workspace, { holds }: Moment): void {
  for (const name of holds) {
    if (name.startsWith('hold-')) rmSync(join(home, name))
    else writeFileSync(join(home, name), '')
  }
}

/** Killed, and then taken up again. */
export async function killedAt(
  workspace: Workspace,
  moment: Moment,
): Promise<{ result: Result; stderr: string }> {
  await killAt(workspace, moment)
  endHolds(workspace, moment)
  const ended = await run(workspace, ['fix', '--resume', '--json'])
  expect(ended.code, ended.stderr).toBe(0)
  return { result: resultOf(workspace, JSON.parse(ended.stdout) as Fixed), stderr: ended.stderr }
}

function look({ home, paths }: Workspace): Seen {
  const runs = join(home, 'runs')
  return {
    state: stateOf(paths.fixes),
    runs: existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').length - 1 : 0,
    notes: notesIn(paths.worktrees),
    git: GIT_STEPS.find((step) => existsSync(join(home, `at-${step}`))) ?? null,
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
