// Asks the project's own test command about the best patches, in a clean copy: what it refuses is not offered.
import type { RepairSandbox } from '../confined.ts'
import type { Patch, RepairResult } from '../result.ts'
import type { Budget } from '../search/budget.ts'
import type { Ranked } from '../search/rank.ts'
import { type CommandRun, ScratchCopy } from '../validate.ts'

/** Enough to choose from. */
const WANTED = 3
/** Patches that are asked about even when the time is up. */
const ALWAYS = 4
const TIMEOUT_MS = 5 * 60_000

interface ConfirmOptions {
  readonly cwd: string
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs?: number | undefined
  readonly sandbox: RepairSandbox
  readonly signal?: AbortSignal | undefined
  /** Whether there is time for more than the first few, and how long it took. */
  readonly budget: Pick<Budget, 'secondsLeft' | 'seconds'>
  onRun?(patch: Patch, run: CommandRun, ms: number): void
}

interface Agreed {
  /** Places of the patches that the command passes with, in their order. */
  readonly valid: readonly number[]
  /** The command did not end in time: with another patch it would not either. */
  readonly timedOut: boolean
}

async function confirm(patches: readonly Patch[], options: ConfirmOptions): Promise<Agreed> {
  const { cwd, command, timeoutMs = TIMEOUT_MS, signal } = options
  const valid: number[] = []
  const isStopped = () => signal?.aborted === true
  const copy = new ScratchCopy(cwd, options)
  try {
    for (const [index, patch] of patches.entries()) {
      if (isStopped() || valid.length >= WANTED) break
      if (index >= ALWAYS && (valid.length > 0 || options.budget.secondsLeft <= 0)) break
      const started = performance.now()
      copy.apply(patch.diff)
      const run = await copy.run(command, { timeoutMs, signal })
      copy.revert(patch.diff)
      if (run.is === 'passed') valid.push(index)
      options.onRun?.(patch, run, performance.now() - started)
      if (run.is === 'timed_out' && !isStopped()) return { valid, timedOut: true }
    }
  } finally {
    copy.remove()
  }
  return { valid, timedOut: false }
}

export interface Confirmed {
  readonly confirmed: RepairResult
  /** The patches that hold, best first. */
  readonly kept: readonly Ranked[]
}

/** The result with those patches alone that the command passes with. */
export async function keepConfirmed(
  result: RepairResult,
  ranked: readonly Ranked[],
  options: ConfirmOptions,
): Promise<Confirmed> {
  const { valid, timedOut } = await confirm(result.patches, options)
  // What nobody could be asked about any more is offered as it is.
  if (options.signal?.aborted === true && valid.length === 0) return { confirmed: result, kept: ranked }
  const kept = valid.flatMap((index) => ranked[index] ?? [])
  const patches = valid
    .flatMap((index) => result.patches[index] ?? [])
    .map((patch) => ({ ...patch, isConfirmed: true }))
  const { seconds } = options.budget
  if (kept.length > 0) return { confirmed: { ...result, patches, seconds }, kept }
  const asked = timedOut
    ? 'did not end in time with the first of them, so none is offered'
    : 'agreed with none of them'
  const reason = `${result.reason} The project's own test command ${asked}.`
  return { confirmed: { ...result, outcome: 'none', reason, patches: [], seconds }, kept }
}
