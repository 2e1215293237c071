// Which lessons a person is asked about, without being waited for, and what the answer changes.
import type { Lesson } from '@treadle/contracts/lesson'

/** A pattern is worth a question above this, a gotcha once it was seen twice. */
const ASK_ABOVE = 0.8
const SEEN_TWICE = 2
const CONFIRMED = 0.9
/** Below what is told to anybody. */
const DENIED = 0.2
/** Told, and never promoted. */
const NARROW = 0.6

export interface ConfirmQuestion {
  readonly event: 'pattern_detected' | 'gotcha_candidate'
  readonly facts: Readonly<Record<string, unknown>>
}

type Asked = Pick<
  Lesson,
  'type' | 'content' | 'glob' | 'confidence' | 'occurrences' | 'seenIn' | 'verdict' | 'supersededAt'
>

/** Null: nobody need be asked. */
export function questionAbout(lesson: Asked): ConfirmQuestion | null {
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
}

/** Null: the answer says nothing about how sure one may be. */
export function adjustedBy(option: string | null, confidence: number): Adjusted | null {
  const change = (to: number, why: string) => (to === confidence ? null : { confidence: to, why })
  switch (option) {
    case 'Yes, add it':
    case 'Yes, add to Knowledge Base':
      return change(Math.max(confidence, CONFIRMED), 'a person confirmed it')
    case 'Not a real pattern':
      return change(Math.min(confidence, DENIED), 'a person said that it is none')
    case "It's project-specific, don't generalize":
      return change(Math.min(confidence, NARROW), 'a person said that it does not hold everywhere')
    default:
      return null
  }
}
