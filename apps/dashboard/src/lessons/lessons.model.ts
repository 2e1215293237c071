// What is known, in words a person can weigh.
import type { Lesson, LessonTrial, LessonVerdict } from '@treadle/contracts/lesson'
import type { Tone } from '@treadle/contracts/words/state'

export const VERDICT: Record<LessonVerdict, { readonly words: string; readonly tone: Tone }> = {
  on_trial: { words: 'On trial', tone: 'busy' },
  promoted: { words: 'Helps', tone: 'good' },
  retired: { words: 'Retired', tone: 'bad' },
  unproven: { words: 'Unproven', tone: 'plain' },
}

export const TYPE_WORDS: Record<Lesson['type'], string> = {
  pattern: 'Pattern',
  gotcha: 'Gotcha',
  resolution: 'Resolution',
  unresolved_error: 'Unresolved error',
}

/** The sentence it is about; older ones have only a topic or an error. */
export function headOf({ content, topic, signature, payload }: Lesson): string {
  const summary = typeof payload.summary === 'string' ? payload.summary : ''
  const about = [topic, signature].filter((text) => text !== null).join(' · ')
  return [content, summary, about].find((text) => text.trim() !== '') ?? 'No words'
}

export function trialWords(trial: LessonTrial | null): string {
  if (trial === null) return 'never met'
  const count = ({ good, bad }: { good: number; bad: number }) => good + bad
  return `shown in ${count(trial.shown)} runs, withheld in ${count(trial.withheld)}`
}

/** Per cent points of runs that pass at the first attempt, with the interval that holds 80 %. */
export function upliftWords(trial: LessonTrial | null): string {
  const uplift = trial?.uplift ?? null
  if (uplift === null) return 'not known yet'
  const points = (share: number) => `${share >= 0 ? '+' : '−'}${Math.abs(Math.round(share * 100))}`
  return `${points(uplift.mean)} points (${points(uplift.low)} to ${points(uplift.high)})`
}
