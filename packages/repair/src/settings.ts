import type { RepairSandbox } from './confined.ts'
import type { RepairMemory } from './memory.ts'

export interface RepairSettings {
  /** Seconds the search may take; the validation by the project's own command comes on top. */
  readonly budgetSeconds?: number
  /** The same where every candidate costs a run of the test command. */
  readonly slowSeconds?: number
  readonly maxCandidates?: number
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
