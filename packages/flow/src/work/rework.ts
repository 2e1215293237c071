// What was delivered before, sent back, and is to be built on.

/** A delivered change that is to be reworked. */
export interface Rework {
  readonly head: string
  /** carried: the files are those of the delivery on the target. conflicted: they are those of the target. */
  readonly how: 'carried' | 'conflicted'
  /** The files to start from; null: those of the target. */
  readonly commit: string | null
  /** Where the delivery and the target went different ways. */
  readonly conflicts: readonly string[]
  /** The target has gone on since it was delivered. */
  readonly isMoved: boolean
  readonly diff: string
}

/** What the reviews of an item have asked for, whether it builds on its delivery or starts anew. */
export interface Requested {
  /** Changes that are not known to be done. */
  readonly requested: readonly string[]
  /** Whose review sent it back; null: the checks did, or nobody knows. */
  readonly sentBy: 'person' | 'reviewer' | null
}

export const NOTHING_ASKED: Requested = { requested: [], sentBy: null }
