// Specifications that a model is at work on: one row for each idea. Types only.
import type { TargetComplexity } from '@treadle/contracts/specification'

/** A change that a person asked for. */
export interface RevisionRequest {
  readonly by: string
  readonly text: string
}

export interface SpecWriting {
  /** That of the idea. */
  readonly slug: string
  readonly workspace: string
  /** What is asked of a model. */
  readonly thought: string
  /** The first thought of this writing, whose prompt the later ones go on from. */
  readonly first: string
  /** Answers that did not hold. */
  readonly refused: number
  readonly userSlug: string | null
  /** Null: as it was the last time. */
  readonly complexity: TargetComplexity | null
  /** Changes that people have asked for since the last revision, oldest first. */
  readonly requests: readonly RevisionRequest[]
  /** Why the answer could not be written down yet; null: nothing was in the way. */
  readonly why: string | null
}

export interface SpecWritings {
  find(slug: string): Promise<SpecWriting | null>
  /** Locks the row until the transaction ends; the thought of it is locked after it. */
  lock(slug: string): Promise<SpecWriting | null>
  /** In the place of what is there of this slug. */
  put(writing: SpecWriting, at: Date): Promise<void>
  /** False: another thought is asked by now, or it is gone already. */
  remove(slug: string, thought: string): Promise<boolean>
  /** Those of a workspace, the oldest first; null: of all. */
  list(workspace: string | null, limit: number): Promise<SpecWriting[]>
}
