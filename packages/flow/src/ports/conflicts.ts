// Where conflicts are kept. Types only.
import type { Conflict, ConflictStatus } from '@treadle/contracts/conflict'
import type { ItemRef } from '@treadle/contracts/ids'

export interface NewConflict {
  readonly item: ItemRef
  readonly branch: string
  readonly head: string
  readonly files: readonly string[]
  readonly why: string
}

/** An item has at most one conflict that is not over. */
export interface Conflicts {
  /** A new record; or the open one of the item, which waits again. */
  open(conflict: NewConflict, at: Date): Promise<void>
  /** A person says that it is resolved; the merge looks. */
  resolving(ref: ItemRef): Promise<void>
  /** Nothing if none is open. */
  close(ref: ItemRef, how: string, at: Date): Promise<void>
  find(id: number): Promise<Conflict | null>
  /** Newest first. */
  list(filter: { status?: ConflictStatus | undefined; limit: number }): Promise<Conflict[]>
  /** How many wait for a person. */
  pending(): Promise<number>
}
