// Lessons and their trials in words, and the form of a new one.
import {
  type Lesson,
  type LessonTrial,
  type LessonVerdict,
  NewLesson,
  type Recorded,
} from '@treadle/contracts/lesson'
import type { Tone } from '@treadle/contracts/words/state'
import { type FormRead, parseForm, textOrNull } from '../parts/form.model.ts'

export const VERDICT: Record<LessonVerdict, { readonly words: string; readonly tone: Tone }> = {
  on_trial: { words: 'On trial', tone: 'busy' },
  promoted: { words: 'Helps', tone: 'good' },
  retired: { words: 'Retired', tone: 'bad' },
  unproven: { words: 'Unproven', tone: 'plain' },
}

/** The sentence of a lesson; older ones have only a topic or an error. */
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

/** A lesson's effect: points of a hundred runs that pass at the first attempt, with the interval that holds 80 %. */
export function upliftWords(trial: LessonTrial | null): string {
  const uplift = trial?.uplift ?? null
  if (uplift === null) return 'not known yet'
  const points = (share: number) => `${share >= 0 ? '+' : '−'}${Math.abs(Math.round(share * 100))}`
  return `${points(uplift.mean)} points (${points(uplift.low)} to ${points(uplift.high)})`
}

export interface TypedLesson {
  readonly content: string
  readonly type: string
  readonly glob: string
  readonly topic: string
  readonly signature: string
}

/** A lesson of the reader's, as the daemon takes it. */
export function readLesson({ content, type, glob, topic, signature }: TypedLesson): FormRead<NewLesson> {
  if (content.trim() === '') return { is: 'wrong', why: 'Write the lesson in one sentence.' }
  const values = {
    content: content.trim(),
    type,
    glob: textOrNull(glob.trim()),
    topic: textOrNull(topic.trim()),
    signature: textOrNull(signature.trim()),
    discoveredBy: 'owner',
  }
  return parseForm(NewLesson, values, 'The lesson')
}

/** The daemon's answer to a lesson that was told, in words. */
export function recordedWords(recorded: Recorded): string {
  switch (recorded.is) {
    case 'recorded':
      return 'Lesson saved.'
    case 'seen_again':
      return 'Already known; counted once more.'
    case 'superseding':
      return `Replaces “${headOf(recorded.old)}”.`
    case 'known_better':
      return `Already known: “${headOf(recorded.lesson)}”.`
  }
}
