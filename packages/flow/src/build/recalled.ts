// Lessons that bear on an attempt.
import type { Lesson } from '@treadle/contracts/lesson'
import type { Applied } from '@treadle/contracts/run'

export interface Recalled {
  readonly patterns: readonly Lesson[]
  readonly gotchas: readonly Lesson[]
  readonly resolutions: readonly Lesson[]
  /** All of them, for the log. */
  readonly applied: readonly Applied[]
}
