// The events of one run: read once, and from then on only what is new.
import type { Client } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import { useEffect, useRef, useState } from 'react'
import type { Live } from '../live/live.ts'
import { problemOf } from '../live/request-end.ts'

const PAGE = 500
/** Events of a run that are read: more than anybody looks at. */
export const EVENTS_MAX = 10_000

const NONE: readonly StoredEvent[] = []

export interface History {
  readonly events: readonly StoredEvent[]
  readonly problem: string | null
}

interface Read {
  readonly id: string
  readonly cursor: Cursor
  readonly events: readonly StoredEvent[]
}

/** `id` null: nobody looks at it yet. */
export function useHistory(live: Live, id: string | null, again: unknown): History {
  const read = useRef<Read | null>(null)
  const [events, setEvents] = useState<readonly StoredEvent[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of `again` means that there is more to read
  useEffect(() => {
    if (id === null) return
    let gone = false
    const work = async () => {
      const known = read.current?.id === id ? read.current : { id, cursor: CURSOR_START, events: [] }
      const next = await readOn(live.client, known)
      if (gone) return
      read.current = next
      setEvents(next.events)
    }
    void problemOf(work()).then((why) => {
      if (!gone) setProblem(why)
    })
    return () => {
      gone = true
    }
  }, [live, id, again])
  return { events: id === null ? NONE : events, problem }
}

async function readOn(client: Client, known: Read): Promise<Read> {
  let { cursor } = known
  const events = [...known.events]
  while (events.length < EVENTS_MAX) {
    const page = await client.runHistory({ params: { id: known.id }, query: { after: cursor, limit: PAGE } })
    events.push(...page.items)
    cursor = page.cursor
    if (page.items.length < PAGE) break
  }
  return { id: known.id, cursor, events }
}
