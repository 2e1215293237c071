// Which lessons a person is asked about, without being waited for, and what the answer changes.
import { type Lesson, NewLesson } from '@treadle/contracts/lesson'
import type { QuestionAnswer } from '@treadle/contracts/question'

/** A pattern is worth a question above this, a gotcha once it was seen twice. */
const ASK_ABOVE = 0.8
const SEEN_TWICE = 2
export const CONFIRMED = 0.9
/** Below what is told to anybody. */
const DENIED = 0.2
/** Told, and never promoted. */
const NARROW = 0.6

export interface ConfirmQuestion {
  readonly event: 'pattern_detected' | 'gotcha_candidate'
  readonly facts: Readonly<Record<string, unknown>>
}

type LessonInQuestion = Pick<
  Lesson,
  'type' | 'content' | 'glob' | 'confidence' | 'occurrences' | 'seenIn' | 'verdict' | 'supersededAt'
>

/** Null: nobody need be asked. */
export function questionAbout(lesson: LessonInQuestion): ConfirmQuestion | null {
  const { type, content, glob, confidence, occurrences, seenIn } = lesson
  if (content === '' || lesson.supersededAt !== null || lesson.verdict === 'retired') return null
  const where = glob ?? 'any file'
  if (type === 'pattern' && confidence > ASK_ABOVE)
    return {
      event: 'pattern_detected',
      facts: {
        pattern: { text: content, confidence },
        pattern_description: content,
        count: occurrences,
        contexts: [where, ...seenIn.map((item) => `item ${item}`)].join(', '),
      },
    }
  if (type === 'gotcha' && occurrences >= SEEN_TWICE)
    return {
      event: 'gotcha_candidate',
      facts: { gotcha: content, context: where, impact: `it came up ${occurrences} times` },
    }
  return null
}

export interface Adjusted {
  readonly confidence: number
  readonly why: string
  /** Retired, it cannot come back in other words. */
  readonly verdict?: 'retired'
  /** It may be told from now on, whoever said it first. */
  readonly confirmed?: true
}

/** Null: the answer says nothing about how sure one may be. */
export function adjustedBy(option: string | null, confidence: number): Adjusted | null {
  const change = (to: number, why: string) => (to === confidence ? null : { confidence: to, why })
  switch (option) {
    case 'Yes, add it':
    case 'Yes, add to Knowledge Base':
      return { confidence: Math.max(confidence, CONFIRMED), why: 'a person confirmed it', confirmed: true }
    case 'Not a real pattern':
      return {
        confidence: Math.min(confidence, DENIED),
        why: 'a person said that it is none',
        verdict: 'retired',
      }
    case "It's project-specific, don't generalize":
      return change(Math.min(confidence, NARROW), 'a person said that it does not hold everywhere')
    default:
      return null
  }
}

const REWORDED = /^(?:Refine it first|Reword it)(?:\.\.\.|…)?(?:\s*:\s*|$)/

/** The person's own words for it; null: none were given. */
export function rewordedBy({ option, text }: Pick<QuestionAnswer, 'option' | 'text'>): string | null {
  if (option !== 'Refine it first...' && option !== 'Reword it...') return null
  const words = text.replace(REWORDED, '').trim()
  return words === '' ? null : words
}

/** A little surer than what it is to take the place of. */
const SURER_BY = 0.01

export function reworded(lesson: Lesson, { words, by }: { words: string; by: string }): NewLesson {
  const { type, glob, action, topic, signature, provenance, confidence } = lesson
  const surer = Math.min(1, Math.max(CONFIRMED, confidence + SURER_BY))
  const about = { type, glob, action, topic, signature, provenance }
  return NewLesson.parse({ ...about, content: words.slice(0, 4_000), confidence: surer, discoveredBy: by })
}
