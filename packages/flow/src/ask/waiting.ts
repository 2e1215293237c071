// What a run waits for: the answer to a question, or the end of a limit of use. Time spent so counts for no deadline.
import type { EventType, StoredEvent } from '@treadle/contracts/event'
import type { RunId } from '@treadle/contracts/ids'
import type { Question } from '@treadle/contracts/paor'

/** The events that say whether a run waits. */
export const WAIT_EVENTS: readonly EventType[] = [
  'run.asked',
  'run.guided',
  'run.heard',
  'run.paused',
  'run.planned',
  'run.concluded',
]

export interface OpenQuestion {
  readonly question: Question
  readonly askedAt: string
}

/** The last question of a run, unless somebody has answered it, or nobody waits for the answer any more. */
export function openQuestion(events: readonly StoredEvent[], runId: RunId): OpenQuestion | null {
  const own = events.filter((event) => event.runId === runId)
  // Whoever asks without waiting goes on with a default of its own.
  const index = own.findLastIndex(
    ({ event }) => event.type === 'run.asked' && event.question.detail?.blocking !== false,
  )
  const asked = own[index]
  if (asked?.event.type !== 'run.asked') return null
  const { question } = asked.event
  const over = own
    .slice(index + 1)
    .some(
      ({ event }) =>
        event.type === 'run.planned' ||
        event.type === 'run.concluded' ||
        (event.type === 'run.guided' && event.guidance.answers === question.id),
    )
  return over ? null : { question, askedAt: asked.at }
}

export function isWaiting(events: readonly StoredEvent[], runId: RunId, now: Date): boolean {
  if (openQuestion(events, runId) !== null) return true
  const last = events.findLast(({ event, runId: of }) => of === runId && event.type === 'run.paused')
  return last?.event.type === 'run.paused' && Date.parse(last.event.until) > now.getTime()
}

/** Which question words answer: the one they name, or the one that asks for nothing but words. */
export type Answers =
  | { readonly is: 'free' }
  | { readonly is: 'answer'; readonly open: OpenQuestion }
  | { readonly is: 'not_asked' }

export function decideAnswers(named: string | null, open: OpenQuestion | null): Answers {
  if (named !== null && named !== open?.question.id) return { is: 'not_asked' }
  if (open === null) return { is: 'free' }
  return named !== null || open.question.kind === 'guidance' ? { is: 'answer', open } : { is: 'free' }
}
