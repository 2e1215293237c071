// What was told last of an idea or of its specification: when that changes, both are asked for again.
import type { StoredEvent } from '@treadle/contracts/event'

/** The newest event about one idea, or about any; an empty text where none is known. `events` come newest first. */
export function lastTold(events: readonly StoredEvent[], idea: string | null): string {
  const found = events.find(({ event }) => {
    const about = ideaOf(event)
    return about !== null && (idea === null || about === idea)
  })
  return found?.cursor ?? ''
}

function ideaOf(event: StoredEvent['event']): string | null {
  if ('idea' in event && event.idea !== undefined) return event.idea
  // The words of a thought come many times a second, and whoever shows them hears them anyway.
  if ('thought' in event && event.type !== 'thought.said') return event.subject
  return 'spec' in event ? (event.spec ?? null) : null
}
