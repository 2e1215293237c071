// What a talk about an idea needs of the world, and what is said in one.
import type { Config } from '@treadle/contracts/config'
import type { NewQuestion } from '@treadle/contracts/question'
import type { KeptIdea } from '../ports/ideas.ts'
import type { Store } from '../ports/store.ts'

export interface TalkWorld {
  readonly store: Pick<Store, 'tx' | 'ideas' | 'questions' | 'preferences' | 'events'>
  readonly now: () => Date
  readonly uuid: () => string
  readonly config: () => Config
  /** Whose ideas these are; several workspaces may share one database. */
  readonly workspace: { readonly id: string; readonly shared: boolean }
  /** The questions that the catalogue has about ideas. */
  readonly catalogue: (trigger: {
    agent: string
    event: string
    facts: Readonly<Record<string, unknown>>
  }) => readonly NewQuestion[]
  /** The owner's name as the name of a folder. */
  readonly userSlug: () => Promise<string>
}

export interface Said {
  readonly text: string
  readonly by: string
  /** Chosen by whoever sends it: the same twice is the same message. */
  readonly messageId: string
}

/** Of the ideas of one database, those of this workspace. */
export function isHere({ workspace }: Pick<TalkWorld, 'workspace'>, kept: KeptIdea): boolean {
  return !workspace.shared || kept.workspace === workspace.id
}
