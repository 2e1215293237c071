// What was said to the run of an item, and whether it has arrived.
import type { StoredEvent } from '@treadle/contracts/event'
import type { SaidGuidance } from '@treadle/contracts/routes/runs'

export interface Said {
  readonly id: string
  readonly by: string
  readonly at: string
  readonly text: string
  /** What it answers, in the words of whoever asked. */
  readonly about: string | null
  /** Null: nothing is known of it any more. */
  readonly arrived: 'taken in' | 'not taken in yet' | null
}

/** `events` are the newest of the item; what they do not reach back to is not judged. */
export function saidOf(
  said: readonly SaidGuidance[],
  events: readonly StoredEvent[],
  atWork: boolean,
): Said[] {
  const heard = new Set(events.flatMap(({ event }) => (event.type === 'run.heard' ? event.guidance : [])))
  const given = new Set(
    events.flatMap(({ event }) => (event.type === 'run.guided' ? [event.guidance.id] : [])),
  )
  const asked = new Map(
    events.flatMap(({ event }) =>
      event.type === 'run.asked' ? [[event.question.id, event.question.title] as const] : [],
    ),
  )
  const arrivedOf = (id: string): Said['arrived'] => {
    if (heard.has(id)) return 'taken in'
    return atWork && given.has(id) ? 'not taken in yet' : null
  }
  return said.map(({ at, guidance: { id, by, text, answers, about } }) => ({
    id,
    by,
    at,
    text,
    about: (answers === null ? undefined : asked.get(answers)) ?? about ?? null,
    arrived: arrivedOf(id),
  }))
}

export const GUIDANCE_CHARS_MAX = 4_000
