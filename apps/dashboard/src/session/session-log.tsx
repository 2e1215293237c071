// The log of a session: it follows what comes until its reader scrolls up, and offers the way back down.
import type { StoredEvent } from '@treadle/contracts/event'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { keepEqual } from '../live/keep-equal.model.ts'
import { useFollow } from '../parts/use-follow.ts'
import { SessionEntryRow } from './entries.tsx'
import { type SessionEntry, sessionOf } from './session.model.ts'

/** Entries that are drawn at first; older ones come when they are asked for. */
const DRAWN = 200

interface SessionLogProps {
  readonly events: readonly StoredEvent[]
  readonly name: string
  /** The words where there is nothing yet. */
  readonly empty: string
}

export function SessionLog({ events, name, empty }: SessionLogProps) {
  const [drawn, setDrawn] = useState(DRAWN)
  const entries = useEntries(events)
  const shown = entries.slice(-drawn)
  const { list, following, look, follow } = useFollow<HTMLOListElement>(entries)
  return (
    <div className="session-log">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <ol ref={list} className="session-entries" aria-label={name} tabIndex={0} onScroll={look}>
        {entries.length > drawn && (
          <li>
            <button type="button" className="quiet" onClick={() => setDrawn(drawn + 5 * DRAWN)}>
              Show {Math.min(entries.length - drawn, 5 * DRAWN)} earlier entries
            </button>
          </li>
        )}
        {entries.length === 0 && <li className="muted">{empty}</li>}
        {shown.map((entry) => (
          <SessionEntryRow key={entry.key} entry={entry} />
        ))}
      </ol>
      {!following && (
        <button type="button" className="session-latest" onClick={follow}>
          Jump to latest
        </button>
      )}
    </div>
  )
}

/** Entries that have not changed stay the same objects, so that only the last of hundreds is drawn anew. */
function useEntries(events: readonly StoredEvent[]): readonly SessionEntry[] {
  const drawn = useRef<readonly SessionEntry[]>([])
  const entries = useMemo(() => keepEqual(drawn.current, sessionOf(events)), [events])
  useLayoutEffect(() => {
    drawn.current = entries
  }, [entries])
  return entries
}
