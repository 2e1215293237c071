// The types of lessons in words.
import type { Lesson } from '@treadle/contracts/lesson'

export const TYPE_WORDS: Record<Lesson['type'], string> = {
  pattern: 'Pattern',
  gotcha: 'Gotcha',
  resolution: 'Resolution',
  unresolved_error: 'Unresolved error',
}
