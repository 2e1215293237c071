// The slow path: the same edits, judged by the project's own runner, only at the likeliest places; few of them where the
// runner has to be started for each.

import type { RepairSandbox } from '../confined.ts'
import { makeEdits } from '../edits/catalogue.ts'
import { contextsFor } from '../edits/context.ts'
import type { Edit } from '../edits/edit.ts'
import { applyChanges, changesByFile } from '../edits/patch.ts'
import { conclude } from '../rank/conclude.ts'
import { refusalOf } from '../refuse.ts'
import { type RepairResult, refused } from '../result.ts'
import type { Budget } from '../search/budget.ts'
import type { CandidateResult } from '../search/round.ts'
import { type CommandRun, ScratchCopy } from '../validate.ts'
import { openStaying, type StayingRunner } from './staying.ts'
import { projectOf, slowSuspects } from './suspects.ts'

const CANDIDATES_MAX = 150
const AFTER_GREEN_MAX = 12
/** The same where the runner stays, and a candidate costs no start of it. */
const STAYING_MAX = 5_000
const STAYING_AFTER_GREEN_MAX = 300
/** Patches of a runner that stays which the command itself is asked about. */
const ASKED_MAX = 6
const FIRST_RUN_MS = 5 * 60_000

export interface SlowOptions {
  readonly root: string
  readonly command: string
  /** How long one run of the command may take. */
  readonly testTimeoutMs?: number | undefined
  readonly tests: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names and messages of the failures as the gate saw them. */
  readonly failures: readonly {
    readonly message: string
    readonly stack: string | null
    readonly id: string
  }[]
  readonly budget: Budget
  readonly sandbox: RepairSandbox
  readonly signal?: AbortSignal | undefined
  onTried(): void
  /** The order of edits: those that helped with such failures before go early. */
  order(edits: readonly Edit[]): Promise<readonly Edit[]>
  remember(patches: readonly (readonly Edit[])[]): Promise<void>
}

export async function repairSlowly(options: SlowOptions): Promise<RepairResult> {
  const { budget, root, command, signal, testTimeoutMs = FIRST_RUN_MS } = options
  const copy = new ScratchCopy(root, options)
  try {
    const started = performance.now()
    const before = await copy.run(command, { timeoutMs: testTimeoutMs, signal })
    const ms = performance.now() - started
    const refusal = refusalBefore(before, options)
    if (refusal !== null) return refused(refusal, budget.seconds)
    const told = options.failures.map(({ message, stack }) => `${message}\n${stack ?? ''}`).join('\n')
    const output = `${before.tail}\n${told}`.replaceAll(copy.path, root)
    const { suspects, files } = slowSuspects(root, options.tests, output)
    const contextOf = contextsFor(projectOf(root, files), [])
    const edits = await options.order(makeEdits({ suspects, contextOf, max: 5_000 }))
    const green = await search(options, { copy, edits, timeoutMs: 5_000 + 3 * ms })
    const split = { failing: [], passing: [] }
    const found = { green, partial: [] }
    const { result, ranked } = conclude({ split, suspects, found, types: [], budget })
    if (signal?.aborted !== true) await options.remember(ranked.map((patch) => patch.found.edits))
    const tests = options.failures.map(({ id }) => id)
    const patches = result.patches.map((patch) => ({
      ...patch,
      tests,
      confidence: 'low' as const,
      why: slowWords(green.length),
    }))
    return { ...result, patches, path: 'slow' }
  } finally {
    copy.remove()
  }
}

function slowWords(green: number): string {
  const rest = green === 1 ? 'no other patch was found' : `${green - 1} other patches also pass`
  return `The project's own test command passes; found by the slow path, which tries few edits; ${rest}.`
}

function refusalBefore(before: CommandRun, { failures }: SlowOptions): string | null {
  if (before.is === 'passed') return refusalOf([])
  if (before.is === 'timed_out') return refusalOf([{ name: 'Hung', message: '' }])
  const told = failures.map(({ message }) => ({ name: '', message }))
  return refusalOf(told.length > 0 ? told : [{ name: '', message: before.tail }])
}

interface Trial {
  readonly copy: ScratchCopy
  readonly edits: readonly Edit[]
  readonly timeoutMs: number
}

async function search(options: SlowOptions, trial: Trial): Promise<CandidateResult[]> {
  const { root, command, tests, failures, signal } = options
  const { copy } = trial
  const runner = await openStaying({ copy, root, command, tests, failures, signal })
  if (runner === null) return await tryAll(options, trial)
  try {
    return await tryStaying(options, trial, runner)
  } finally {
    await runner.close()
  }
}

/** Candidates by the runner that stays; of the green ones, the command itself has the last word. */
async function tryStaying(
  options: SlowOptions,
  trial: Trial,
  runner: StayingRunner,
): Promise<CandidateResult[]> {
  const { budget } = options
  const green: CandidateResult[] = []
  let left = STAYING_MAX
  let asked = 0
  for (const edit of trial.edits) {
    if (left <= 0 || asked >= ASKED_MAX || budget.isOver || runner.isUsedUp) break
    left -= 1
    write(trial.copy, [edit], true)
    const passes = await runner.passes()
    const isGreen = passes && (await isPassed(options, trial))
    write(trial.copy, [edit], false)
    budget.count(edit)
    options.onTried()
    if (passes) asked += 1
    if (!isGreen) continue
    green.push({ edits: [edit], fixed: [], advanced: 0, after: budget.tried })
    budget.foundGreen()
    left = Math.min(left, STAYING_AFTER_GREEN_MAX)
  }
  return green
}

async function isPassed({ command, signal }: SlowOptions, { copy, timeoutMs }: Trial): Promise<boolean> {
  return (await copy.run(command, { timeoutMs, signal })).is === 'passed'
}

async function tryAll(options: SlowOptions, { copy, edits, timeoutMs }: Trial): Promise<CandidateResult[]> {
  const { budget, command, signal } = options
  const green: CandidateResult[] = []
  let left = CANDIDATES_MAX
  for (const edit of edits) {
    if (left <= 0 || budget.isOver) break
    left -= 1
    write(copy, [edit], true)
    const run = await copy.run(command, { timeoutMs, signal })
    write(copy, [edit], false)
    budget.count(edit)
    options.onTried()
    if (run.is !== 'passed') continue
    green.push({ edits: [edit], fixed: [], advanced: 0, after: budget.tried })
    budget.foundGreen()
    left = Math.min(left, AFTER_GREEN_MAX)
  }
  return green
}

function write(copy: ScratchCopy, edits: readonly Edit[], changed: boolean): void {
  for (const [path, { text, changes }] of changesByFile(edits)) {
    copy.write(path, changed ? applyChanges(text, changes) : text)
  }
}
