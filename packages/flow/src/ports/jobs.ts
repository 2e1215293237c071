// Jobs of the daemon: work with exactly one handler.
import type { ItemRef, RunId } from '@treadle/contracts/ids'

export type JobName = 'review' | 'merge' | 'learn'
export interface ItemJob {
  readonly item: ItemRef
  /** A job about one run of the item; there is one for each. */
  readonly runId?: RunId | undefined
}

export interface Jobs {
  /** Inside a transaction the job exists only if that commits. At most one waiting job per item, or run, and queue. */
  send(name: JobName, job: ItemJob): Promise<void>
  /** The same, unless such a job waits or runs: what runs is not lost. */
  sendIfLost(name: JobName, job: ItemJob): Promise<void>
}
