// What a talk about an idea needs of the world, and what is said in one.
import type { Config } from '@treadle/contracts/config'
import type { Lesson, LessonQuery } from '@treadle/contracts/lesson'
import type { NewQuestion } from '@treadle/contracts/question'
import type { Documents } from '../ports/documents.ts'
import type { Store } from '../ports/store.ts'
import type { WebSearch } from '../ports/web-search.ts'

export interface TalkWorld {
  readonly store: Pick<
    Store,
    'tx' | 'ideas' | 'items' | 'questions' | 'preferences' | 'events' | 'thoughts' | 'lessonUses'
  >
  /** What people have written or edited counts in a talk, too. */
  readonly documents: Pick<Documents, 'read'>
  readonly now: () => Date
  readonly uuid: () => string
  readonly config: () => Config
  /** The questions that the catalogue has about ideas. */
  readonly catalogue: (trigger: {
    agent: string
    event: string
    phase?: string
    facts: Readonly<Record<string, unknown>>
  }) => readonly NewQuestion[]
  /** Who looks up the web; null: nobody is to. */
  readonly webSearch: () => WebSearch | null
  /** Told of what could not be looked up. */
  readonly onLookUpFailed: (why: string) => void
  /** Lessons that fit. */
  readonly recall: (query: LessonQuery) => Promise<readonly Lesson[]>
  /** What the talks of one repository have in common. */
  readonly repository: string
  /** The owner's name as the name of a folder. */
  readonly userSlug: () => Promise<string>
}

export interface SpokenWords {
  readonly text: string
  readonly by: string
  /** Chosen by whoever sends it: the same twice is the same message. */
  readonly messageId: string
}
