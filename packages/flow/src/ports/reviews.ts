// Reviews as the flow needs them from the store. Types only.
import type { AgentId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Review, ReviewCriterion, ReviewStatus, ReviewWaitsFor } from '@treadle/contracts/review'

export interface NewReview {
  readonly item: ItemRef
  readonly branch: string
  readonly head: string
  readonly runId: RunId
  readonly cycle: number
  readonly agentId: AgentId
  readonly criteria: readonly ReviewCriterion[]
}
export type ReviewPatch = Partial<
  Pick<
    Review,
    | 'status'
    | 'waitsFor'
    | 'why'
    | 'criteria'
    | 'checks'
    | 'checkedTree'
    | 'evidence'
    | 'repeats'
    | 'engine'
    | 'model'
    | 'answer'
    | 'feedback'
    | 'requested'
    | 'decidedBy'
  >
> & {
  readonly checkedAt?: Date
  readonly decidedAt?: Date
  readonly escalatedAt?: Date
  /** Null: no judgement is wanted any more. */
  readonly thoughtId?: string | null
}

/** One review for each delivery. */
export interface Reviews {
  /** A delivery that has one keeps it. */
  enqueue(review: NewReview, at: Date): Promise<Review>
  find(id: number): Promise<Review | null>
  /** The review that this thought was asked to judge last. */
  ofThought(thoughtId: string): Promise<Review | null>
  /** Locks the row until the transaction ends. */
  lock(id: number): Promise<Review | null>
  /** Of the last delivery. */
  latest(ref: ItemRef): Promise<Review | null>
  /** Newest first. */
  list(filter: {
    status?: ReviewStatus | undefined
    item?: { projectNumber?: number | undefined; number?: number | undefined }
    limit: number
  }): Promise<Review[]>
  /** Pending, the longest delivered first. */
  queue(filter: { waitsFor?: ReviewWaitsFor | undefined; limit: number }): Promise<Review[]>
  patch(id: number, patch: ReviewPatch): Promise<void>
  /** Pending since before, read by nobody, and not told yet. */
  overdue(before: Date, limit: number): Promise<Review[]>
}
