// An improvement of the repository that a model was asked for, in one of the 21 categories.
import { z } from 'zod'

// What would move a terminal's cursor, colour it, turn the direction of reading, or is read by a model and seen by nobody.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu

/** The text without control characters and without what no reader sees; line ends are those of Unix. */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, ' ')
}

/** The same as one line, with single spaces. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim()
}

/** How long the parts of an idea may be, in characters, and how many criteria it may have. */
export const CATEGORY_IDEA_MAX = {
  title: 300,
  description: 10_000,
  criteria: 20,
  criterion: 2_000,
  technicalApproach: 20_000,
  effortHours: 1_000,
} as const

const words = (max: number) => z.string().overwrite(visibleText).trim().min(1).max(max)
const line = (max: number) => z.string().overwrite(visibleLine).min(1).max(max)

export const CategoryIdea = z.strictObject({
  /** One line. */
  title: line(CATEGORY_IDEA_MAX.title),
  description: words(CATEGORY_IDEA_MAX.description),
  /** One line each, as `AC-1.a: what must be true`. */
  acceptanceCriteria: z.array(line(CATEGORY_IDEA_MAX.criterion)).max(CATEGORY_IDEA_MAX.criteria),
  technicalApproach: words(CATEGORY_IDEA_MAX.technicalApproach),
  /** In hours. */
  effort: z.number().positive().max(CATEGORY_IDEA_MAX.effortHours),
})
export type CategoryIdea = z.infer<typeof CategoryIdea>
