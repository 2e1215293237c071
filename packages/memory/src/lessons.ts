// Ports to the knowledge that is kept.
import type {
  Lesson,
  LessonQuery,
  LessonType,
  LessonVerdict,
  NewLesson,
  Recorded,
} from '@treadle/contracts/lesson'

/** A choice of lessons; without `all`, only those neither superseded nor retired. */
export interface LessonFilter {
  readonly type?: LessonType | undefined
  readonly verdict?: LessonVerdict | undefined
  readonly all?: boolean | undefined
  readonly topic?: string | undefined
  /** A path: only lessons about this file, the best fitting first. */
  readonly path?: string | undefined
  /** Words that it must have. */
  readonly text?: string | undefined
  /** The last one of the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** A place in the order in which lessons were written. */
export interface LessonMark {
  readonly revision: number
  readonly id: string
}

export interface Lessons {
  /** Finds lessons neither superseded nor retired; among equally fitting ones the promoted first, the unproven last. */
  recall(query: LessonQuery): Promise<Lesson[]>
  /**
   * The same lesson again is counted; of two that say the same, the surer one is kept. Other recorders wait until
   * the transaction ends, so it should be the last thing in one.
   */
  record(lesson: NewLesson, at: Date): Promise<Recorded>
  find(id: string): Promise<Lesson | null>
  /** Lessons whose id begins so, at most `limit`. */
  named(prefix: string, limit: number): Promise<Lesson[]>
  /** In the given order, without those that are not there. */
  some(ids: readonly string[]): Promise<Lesson[]>
  /** Newest first. */
  list(filter: LessonFilter): Promise<Lesson[]>
  /** Supersedes a lesson; null if there is none, or the one to take its place is missing or itself superseded. */
  supersede(id: string, how: { by: string | null; why: string }, at: Date): Promise<Lesson | null>
  reconsider(
    id: string,
    changes: { confidence?: number; verdict?: LessonVerdict; looks?: number; confirmed?: true; why: string },
    at: Date,
  ): Promise<Lesson | null>
  /** As they were exported, with id, counts and verdict; one that is there already is left alone. */
  restore(lessons: readonly Lesson[]): Promise<{ restored: number; known: number }>
  /** Lessons written since, in the order of writing; null for all. */
  writtenSince(mark: LessonMark | null, limit: number): Promise<{ lesson: Lesson; mark: LessonMark }[]>
}
