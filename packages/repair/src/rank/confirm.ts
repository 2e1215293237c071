// Asks the project's own test command about the best patches, in a clean copy: what it refuses is not offered.
import type { RepairSandbox } from '../confined.ts'
import type { Patch } from '../result.ts'
import { type CommandRun, ScratchCopy } from '../validate.ts'

/** Enough to choose from. */
const WANTED = 3
/** Patches that are asked about even when the time is up. */
const ALWAYS = 4
const TIMEOUT_MS = 5 * 60_000

export interface ConfirmOptions {
  readonly cwd: string
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs?: number | undefined
  readonly sandbox: RepairSandbox
  readonly signal?: AbortSignal | undefined
  /** Whether there is time for more than the first few. */
  hasTime(): boolean
  onRun?(patch: Patch, run: CommandRun, ms: number): void
}

export interface Agreed {
  /** Places of the patches that the command passes with, in their order. */
  readonly valid: readonly number[]
  /** The command did not end in time: with another patch it would not either. */
  readonly timedOut: boolean
}

export async function confirm(patches: readonly Patch[], options: ConfirmOptions): Promise<Agreed> {
  const { cwd, command, timeoutMs = TIMEOUT_MS, signal } = options
  const valid: number[] = []
  const isStopped = () => signal?.aborted === true
  const copy = new ScratchCopy(cwd, options)
  try {
    for (const [index, patch] of patches.entries()) {
      if (isStopped() || valid.length >= WANTED) break
      if (index >= ALWAYS && (valid.length > 0 || !options.hasTime())) break
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
