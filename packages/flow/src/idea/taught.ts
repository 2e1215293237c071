// Which lessons are about talks: pure.
import type { Lesson, LessonQuery } from '@treadle/contracts/lesson'

/** The action of lessons about talks; those of runs have others. */
export const IDEATE = 'ideate'

const CONFIDENCE_MIN = 0.6
const RECALLED_MAX = 100
export const SHOWN_MAX = 5
/** Nobody looks at what does not fit beyond these. */
const RANKED_MAX = SHOWN_MAX + 5

export const ABOUT_TALKS: LessonQuery = { action: IDEATE, minConfidence: CONFIDENCE_MIN, limit: RECALLED_MAX }

/** A lesson without an action is about any work on code, and is told to no talk. */
export function taughtBy(found: readonly Lesson[]): readonly Lesson[] {
  return found.filter(({ action }) => action === IDEATE).slice(0, RANKED_MAX)
}
