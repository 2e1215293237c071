// What a build needs of the world. Types only.
import type { Documents } from '../../ports/documents.ts'
import type { MergeGit } from '../../ports/git.ts'
import type { LessonBook } from '../../ports/memory.ts'
import type { MovingWorld } from '../../ports/moving.ts'
import type { ProjectTree } from '../../ports/project-tree.ts'
import type { Store } from '../../ports/store.ts'

export interface BuildWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'builds' | 'specifications' | 'runs' | 'fileLocks'>
  readonly documents: Pick<Documents, 'read'>
  readonly tree: Pick<ProjectTree, 'read'>
  readonly lessons: LessonBook
  readonly git: Pick<MergeGit, 'commitOf' | 'makeBranch' | 'mergeBase'>
  /** The branch that work is merged into. */
  readonly target: string
  readonly workspace: { readonly id: string }
}

/** Outcomes that change nothing: what is the matter, and what to do. */
export interface BuildRefusal {
  readonly is: 'unknown' | 'refused'
  readonly message: string
  readonly hint: string
}
