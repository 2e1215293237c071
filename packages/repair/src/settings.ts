import type { RepairSandbox } from './confined.ts'
import type { RepairMemory } from './memory.ts'

export interface RepairSettings {
  /** Seconds the search may take; the validation by the project's own command comes on top. */
  readonly budgetSeconds?: number
  /** The same where every candidate costs a run of the test command. */
  readonly slowSeconds?: number
  readonly maxCandidates?: number
  /** Of the clock, for one search; left out: the processor's seconds are all that counts. */
  readonly wallSeconds?: number
  /** How often the same was tried before and ran out of time: each time doubles the seconds. */
  readonly retries?: number
  /** Hears of the first green patch at once, whatever becomes of the search. */
  readonly onGreen?: (diff: string) => void
  readonly workers?: number
  /** auto: where the project has a tsconfig and a compiler. */
  readonly typecheck?: 'auto' | 'off'
  /** The compiler to use instead of the project's own. */
  readonly tsc?: string
  /** Where the machine-readable report goes. */
  readonly reportFile?: string | null
  /** Lets a search that was killed go on where it was. */
  readonly progressFile?: string | null
  readonly memory?: RepairMemory
  readonly testTimeoutMs?: number
  readonly sandbox: RepairSandbox
}
