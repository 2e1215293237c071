// The events of one run, or of one thought: read once, and from then on taken from the feed.
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

/** Where events of one kind of work are read, and which of the feed are among them. */
interface Source {
  readonly read: (client: Client, after: Cursor) => Promise<{ items: StoredEvent[]; cursor: Cursor }>
  readonly isOwn: (event: StoredEvent) => boolean
}

interface Read {
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

export function useThoughtHistory(live: Live, id: string): History {
  const [history, setHistory] = useState<History>(NOTHING)
  useEffect(() => {
    setHistory(NOTHING)
    return follow(live, thoughtSource(id), setHistory)
  }, [live, id])
  return history
}

function thoughtSource(id: string): Source {
  return {
    read: (client, after) => client.thoughtHistory({ params: { id }, query: { after, limit: PAGE } }),
    isOwn: ({ event }) => 'thought' in event && event.thought === id,
  }
}

type Feed = Pick<Live, 'client' | 'onHeard'>

/** Tells the history of a run, and again whenever the feed brings more of it. Returns the function that ends it. */
export function followRun(live: Feed, id: string, tell: (history: History) => void): () => void {
  const read: Source['read'] = (client, after) =>
    client.runHistory({ params: { id }, query: { after, limit: PAGE } })
  return follow(live, { read, isOwn: ({ runId }) => runId === id }, tell)
}

function follow(live: Feed, source: Source, tell: (history: History) => void): () => void {
  let gone = false
  let known: Read = { cursor: CURSOR_START, events: NONE }
  let isRead = false
  // Events that were heard before the reading has told where it ends.
  let early: StoredEvent[] = []
  const take = (heard: readonly StoredEvent[], problem: string | null) => {
    known = withHeard(known, heard)
    tell({ events: known.events, problem })
  }
  const read = oneAtATime(async () => {
    if (gone || isRead) return
    const reading = readOn(live.client, source, known).then((next) => {
      known = next
      isRead = true
    })
    const problem = await problemOf(reading)
    if (gone) return
    take(isRead ? early : NONE, problem)
    early = []
  })
  const stop = live.onHeard((events) => {
    const own = events.filter(source.isOwn)
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

async function readOn(client: Client, source: Source, known: Read): Promise<Read> {
  let { cursor } = known
  const events = [...known.events]
  while (events.length < EVENTS_MAX) {
    const page = await source.read(client, cursor)
    events.push(...page.items)
    cursor = page.cursor
    if (page.items.length < PAGE) break
  }
  return { cursor, events }
}
