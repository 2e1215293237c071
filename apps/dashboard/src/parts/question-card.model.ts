// A question in words: what happens if nobody answers, and which options want words.
import type { QuestionOption, QuestionRecord } from '@treadle/contracts/question'
import { duration } from '@treadle/contracts/words/time'

/** A question's default and its time, in words: what happens if nobody answers. */
export function otherwise({ blocking, defaultOption, dueAt }: QuestionRecord, now: number): string {
  if (blocking) return 'Paused until you answer. Time limits are paused too.'
  const fallback = defaultOption === undefined ? 'it is dropped' : `“${defaultOption}” holds`
  if (dueAt === null) return `If nobody answers, ${fallback}.`
  return `If nobody answers, ${fallback} in ${duration(Math.max(0, Date.parse(dueAt) - now))}.`
}

/** An option that ends in dots wants words after it. */
export function wantsWords(label: string): boolean {
  return /(\.\.\.|…)$/.test(label)
}

export function toggled(chosen: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(label)) next.add(label)
  return next
}

/** The options that were chosen, as one answer, in the order in which they are offered. */
export function chosenWords(options: readonly QuestionOption[], chosen: ReadonlySet<string>): string {
  return options.flatMap(({ label }) => (chosen.has(label) ? [label] : [])).join(', ')
}
