// Everything that was said about one item, as one conversation: guidance, questions, answers and feedback, oldest first.
import { readsWords } from '@treadle/contracts/config/engines'
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Review } from '@treadle/contracts/review'
import type { Tone } from '@treadle/contracts/words/state'
import type { ShownGuidance } from './guidance.model.ts'

interface ThreadMark {
  readonly words: string
  readonly tone: Tone
}

export interface ThreadEntry {
  readonly key: string
  readonly by: string
  readonly at: string
  /** What kind of words they are, where that is not plain from who says them. */
  readonly kind: 'Message' | 'Question' | 'Answer' | 'Changes requested'
  readonly text: string
  /** The question that it answers. */
  readonly about: string | null
  /** What has become of it; null if that is not known. */
  readonly mark: ThreadMark | null
  /** A question that still waits, to be answered where it stands. */
  readonly open: QuestionRecord | null
}

interface ThreadFacts {
  readonly said: readonly ShownGuidance[]
  readonly questions: readonly QuestionRecord[]
  readonly reviews: readonly Review[]
}

export function threadOf({ said, questions, reviews }: ThreadFacts): ThreadEntry[] {
  const asked = questions.map(questionEntry)
  const answered = new Set(said.flatMap(({ about, text }) => (about === null ? [] : [text])))
  const answers = questions.flatMap((question) => answerEntry(question, answered))
  const entries = [...said.map(saidEntry), ...asked, ...answers, ...feedbackEntries(reviews)]
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function saidEntry({ id, by, at, text, about, arrived }: ShownGuidance): ThreadEntry {
  const mark =
    arrived === null ? null : ({ words: arrived, tone: arrived === 'Read' ? 'good' : 'plain' } as const)
  return { key: id, by, at, kind: about === null ? 'Message' : 'Answer', text, about, mark, open: null }
}

const QUESTION_MARKS: Record<QuestionRecord['status'], ThreadMark> = {
  open: { words: 'Waiting for you', tone: 'attention' },
  answered: { words: 'Answered', tone: 'good' },
  defaulted: { words: 'Answered by default', tone: 'plain' },
  withdrawn: { words: 'No longer asked', tone: 'plain' },
}

function questionEntry(question: QuestionRecord): ThreadEntry {
  const { id, agent, askedAt, text, status } = question
  return {
    key: `question:${id}`,
    by: agent,
    at: askedAt,
    kind: 'Question',
    text,
    about: null,
    mark: QUESTION_MARKS[status],
    open: status === 'open' ? question : null,
  }
}

/** An answer that went to a run is among its guidance already. */
function answerEntry({ id, text, answer }: QuestionRecord, known: ReadonlySet<string>): ThreadEntry[] {
  if (answer === null || known.has(answer.text)) return []
  const { by, at } = answer
  return [
    { key: `answer:${id}`, by, at, kind: 'Answer', text: answer.text, about: text, mark: null, open: null },
  ]
}

function feedbackEntries(reviews: readonly Review[]): ThreadEntry[] {
  return reviews.flatMap((review) => {
    const { id, status, feedback, requested, decidedBy, decidedAt, cycle } = review
    if (status !== 'rejected' || decidedAt === null || feedback === null) return []
    const isDelivered = reviews.some((other) => other.cycle > cycle)
    const mark: ThreadMark = isDelivered
      ? { words: `Delivered again as ${cycle + 1}`, tone: 'good' }
      : { words: 'Not delivered again yet', tone: 'plain' }
    const text = requested.length === 0 ? feedback : requested.join('\n')
    const by = decidedBy ?? 'review'
    return [
      {
        key: `review:${id}`,
        by,
        at: decidedAt,
        kind: 'Changes requested',
        text,
        about: null,
        mark,
        open: null,
      },
    ]
  })
}

/** The engines that read what people write, the usual one first. */
export function readingEngines(names: readonly string[], current: string): string[] {
  const usual = 'claude-code'
  const own = names.filter((name) => name !== current && name !== 'scripted' && readsWords(name))
  return [...own].sort((a, b) => Number(b === usual) - Number(a === usual))
}
