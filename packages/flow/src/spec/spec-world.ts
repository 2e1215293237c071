// What a specification needs of the world while it is made, revised and approved.
import type { Config } from '@treadle/contracts/config'
import type { Documents } from '../ports/documents.ts'
import type { LessonBook } from '../ports/memory.ts'
import type { ProjectTree } from '../ports/project-tree.ts'
import type { Store } from '../ports/store.ts'
import type { SpecContexts } from './spec-contexts.ts'

export interface SpecWorld {
  readonly store: Pick<Store, 'tx' | 'events' | 'specifications' | 'specWritings' | 'thoughts'>
  readonly documents: Documents
  readonly tree: ProjectTree
  readonly lessons: LessonBook
  /** Who has begun such an idea, as the name of a folder, whether that is there or not; null: there is no such idea. */
  readonly whoseIdea: (slug: string) => Promise<string | null>
  /** The person who works here, as the name of a folder. */
  readonly userSlug: () => Promise<string>
  readonly config: () => Config
  /** Whose specifications these are; several workspaces may share one database. */
  readonly workspace: { readonly id: string; readonly shared: boolean }
  /** What was read for specifications that are being written. */
  readonly contexts: SpecContexts
  /** The suite of the workspace; null: nobody knows one. */
  readonly testCommand: string | null
  readonly now: () => Date
  readonly uuid: () => string
}

/** Outcomes that are no specification: what happened, and what to do about it. */
export type SpecRefusal =
  | { readonly is: 'unknown'; readonly message: string; readonly hint: string }
  | {
      readonly is: 'refused'
      readonly message: string
      readonly hint: string
      readonly details?: RefusalDetails
    }

interface RefusalDetails {
  readonly missing?: readonly string[]
  readonly line?: number
  readonly revision?: number
  readonly difference?: readonly string[]
}
