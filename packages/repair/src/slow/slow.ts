// The slow path: the same edits, judged by the project's own command, few of them and only at the likeliest places.

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
import { projectOf, slowSuspects } from './suspects.ts'

const CANDIDATES_MAX = 150
const AFTER_GREEN_MAX = 12
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
    const green = await tryAll(options, { copy, edits, timeoutMs: 5_000 + 3 * ms })
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
