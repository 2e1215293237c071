// Specifications as the store keeps them: every revision, and the numbers of migrations that were given away.
import type { Specification, SpecTask } from '@treadle/contracts/specification'

/** A revision with its two documents as they were written or read. */
export interface KeptSpecification {
  readonly spec: Specification
  readonly specText: string
  readonly tasksText: string
  /** The tasks before anybody edited them, so that edits can be told from what was generated. */
  readonly generated: readonly SpecTask[]
  /** What was found missing while the documents were read. */
  readonly noted: readonly string[]
}

export interface NumberRequest {
  /** The folder of the migrations. */
  readonly folder: string
  readonly spec: string
  /** The feature's slug: asked for again, it gets the same number. */
  readonly feature: string
  /** The highest number that the tree has. */
  readonly taken: number
}

/** The specifications of this workspace; several may share one database. */
export interface Specifications {
  /** The latest revision. */
  find(slug: string): Promise<KeptSpecification | null>
  revision(slug: string, revision: number): Promise<KeptSpecification | null>
  /** Latest revisions, the last generated first. */
  list(limit: number): Promise<Specification[]>
  /** False: this revision is there already, so somebody else was faster. */
  add(kept: KeptSpecification): Promise<boolean>
  /** Until the transaction ends nobody else adds a revision of it or changes one. */
  lock(slug: string): Promise<KeptSpecification | null>
  /** Replaces what is kept of a revision that is there. */
  update(spec: Specification): Promise<void>
  /** The next free number of a folder, which nobody else is given, in whichever workspace. */
  allocate(request: NumberRequest, at: Date): Promise<number>
}
