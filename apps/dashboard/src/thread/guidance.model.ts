// Guidance to the run of an item, and whether the run has taken it in.
import type { StoredEvent } from '@treadle/contracts/event'
import type { SaidGuidance } from '@treadle/contracts/routes/runs'
import { answeredBy } from '@treadle/contracts/words/question'

export interface ShownGuidance {
  readonly id: string
  readonly by: string
  readonly at: string
  readonly text: string
  /** The question that it answers, in the words of whoever asked. */
  readonly about: string | null
  /** Whether the run has taken it in; null if that is not known any more. */
  readonly arrived: 'Read' | 'Not read yet' | null
}

/** `events` are the newest of the item; what they do not reach back to is not judged. */
export function shownGuidance(
  said: readonly SaidGuidance[],
  events: readonly StoredEvent[],
  atWork: boolean,
): ShownGuidance[] {
  const heard = new Set(events.flatMap(({ event }) => (event.type === 'run.heard' ? event.guidance : [])))
  const given = new Set(
    events.flatMap(({ event }) => (event.type === 'run.guided' ? [event.guidance.id] : [])),
  )
  const asked = new Map(
    events.flatMap(({ event }) =>
      event.type === 'run.asked' ? [[event.question.id, event.question.title] as const] : [],
    ),
  )
  const arrivedOf = (id: string): ShownGuidance['arrived'] => {
    if (heard.has(id)) return 'Read'
    return atWork && given.has(id) ? 'Not read yet' : null
  }
  return said.map(({ at, guidance: { id, by, text, answers, about, how } }) => ({
    id,
    by: how === undefined ? by : answeredBy({ by, how }),
    at,
    text,
    about: (answers === null ? undefined : asked.get(answers)) ?? about ?? null,
    arrived: arrivedOf(id),
  }))
}

export const GUIDANCE_CHARS_MAX = 4_000
