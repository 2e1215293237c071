// The events of one run: read once, and from then on taken from the feed.
import type { Client } from '@treadle/contracts/client'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import { useEffect, useState } from 'react'
import { isAfter } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { oneAtATime } from '../live/one-at-a-time.ts'
import { problemOf } from '../live/request-end.ts'

const PAGE = 500
/** Events of a run that are read: more than anybody looks at. */
export const EVENTS_MAX = 10_000

const NONE: readonly StoredEvent[] = []

export interface History {
  readonly events: readonly StoredEvent[]
  readonly problem: string | null
}

const NOTHING: History = { events: NONE, problem: null }

interface Read {
  readonly id: string
  readonly cursor: Cursor
  readonly events: readonly StoredEvent[]
}

/** `id` null: nobody looks at it yet. */
export function useHistory(live: Live, id: string | null): History {
  const [history, setHistory] = useState<History>(NOTHING)
  useEffect(() => {
    if (id === null) return
    return followRun(live, id, setHistory)
  }, [live, id])
  return id === null ? NOTHING : history
}

/** Tells the history of a run, and again whenever the feed brings more of it. Returns the function that ends it. */
export function followRun(
  live: Pick<Live, 'client' | 'onHeard'>,
  id: string,
  tell: (history: History) => void,
): () => void {
  let gone = false
  let known: Read = { id, cursor: CURSOR_START, events: NONE }
  let isRead = false
  // Events that were heard before the reading has told where it ends.
  let early: StoredEvent[] = []
  const take = (heard: readonly StoredEvent[], problem: string | null) => {
    known = withHeard(known, heard)
    tell({ events: known.events, problem })
  }
  const read = oneAtATime(async () => {
    if (gone || isRead) return
    const reading = readOn(live.client, known).then((next) => {
      known = next
      isRead = true
    })
    const problem = await problemOf(reading)
    if (gone) return
    take(isRead ? early : NONE, problem)
    early = []
  })
  const stop = live.onHeard((events) => {
    const own = events.filter(({ runId }) => runId === id)
    if (own.length === 0) return
    if (isRead) return take(own, null)
    early.push(...own)
    // The reading may have failed, and would have told of these as well.
    read()
  })
  read()
  return () => {
    gone = true
    stop()
  }
}

/** The feed has no gaps: what it brings after the last that is known comes right behind it. */
function withHeard(known: Read, heard: readonly StoredEvent[]): Read {
  let { cursor } = known
  const fresh = heard.filter((event) => {
    if (!isAfter(event.cursor, cursor)) return false
    cursor = event.cursor
    return true
  })
  const events = [...known.events, ...fresh]
  // What was not read up to its end is not gone on with, either.
  return fresh.length === 0 || known.events.length >= EVENTS_MAX ? known : { ...known, cursor, events }
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
