// Files that agents have for items of a build, and who waits for whom.
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { FileLock, LockWait } from '@treadle/contracts/lock'

export interface FileLocks {
  /** Until the transaction ends nobody else takes a file of this build. */
  serialise(build: string): Promise<void>
  /** The locks that have not expired; of one build, or of all. */
  live(now: Date, build?: string): Promise<FileLock[]>
  /** Takes files for an item, once it is sure that nobody has them; what had expired is over. */
  take(locks: readonly FileLock[], now: Date): Promise<void>
  /** Sets the end of all locks of an item. */
  keep(ref: ItemRef, expiresAt: Date): Promise<void>
  /** A sign of life of their holder: the locks of what it is at work on stand at least so long. */
  beat(agentId: AgentId, until: Date): Promise<void>
  /** Ends all locks of an item; so nobody waits for it any more. */
  release(ref: ItemRef): Promise<void>
  /** Records that an item waits for a file; once for each that it waits for. */
  wait(ref: ItemRef, lock: Pick<FileLock, 'file' | 'item'>, since: Date): Promise<void>
  /** An item waits for nothing any more; the file that it has waited for, or null. */
  stopWaiting(ref: ItemRef): Promise<string | null>
  /** Who waits for whom; what was released, or has expired, holds nobody up. */
  waits(now: Date): Promise<LockWait[]>
  /** Paths and globs of the items that are at work or on their way into a branch, the newest first. */
  filesAtWork(limit: number): Promise<ItemFiles[]>
}

export interface ItemFiles extends ItemRef {
  readonly files: readonly string[]
}
