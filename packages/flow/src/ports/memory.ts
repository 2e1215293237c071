// Memory: lessons, how each was used, and which are proposed for the file that every agent reads.
import type { Lesson, LessonQuery } from '@treadle/contracts/lesson'
import type { Lessons } from '@treadle/memory/lessons'
import type { Promotions } from '@treadle/memory/promotions'
import type { LessonUses } from '@treadle/memory/trial/uses'
import type { Retrospectives } from './retrospectives.ts'

/** Memory as the daemon keeps it. */
export interface Memory {
  readonly lessons: Lessons
  readonly lessonUses: LessonUses
  readonly retrospectives: Retrospectives
  readonly promotions: Promotions
}

/** Lessons as an agent reaches them: an answer always comes, if need be an empty one. */
export interface LessonBook {
  recall(query: BookQuery): Promise<readonly Lesson[]>
}
/** About several files at once: what fits one of them is enough. */
export type BookQuery = LessonQuery & { readonly paths?: readonly string[] }
