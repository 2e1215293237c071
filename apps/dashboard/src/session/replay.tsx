// A finished session, played again: to any moment of it, at any pace.
import type { StoredEvent } from '@treadle/contracts/event'
import type { Run } from '@treadle/contracts/run'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { changeAt, replayPauseMs } from './session.model.ts'
import './session.css'
import { SessionChange } from './session-change.tsx'
import { SessionLog } from './session-log.tsx'

const SPEEDS = [1, 2, 4, 16]

export function Replay({ run, events }: { run: Run; events: readonly StoredEvent[] }) {
  // A reader wants to see how it ended; the way back is the scrubber.
  const [wanted, setWanted] = useState<number | null>(null)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(2)
  const last = events.length
  const position = Math.min(wanted ?? last, last)
  const seen = useMemo(() => events.slice(0, position), [events, position])
  const here = seen.at(-1)?.at
  const diff = useMemo(
    () =>
      changeAt(
        run.history,
        position === last || here === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(here),
      ),
    [run.history, position, last, here],
  )
  useEffect(() => {
    if (!playing) return
    if (position >= last) return setPlaying(false)
    const timer = setTimeout(() => setWanted(position + 1), replayPauseMs(events, position, speed))
    return () => clearTimeout(timer)
  }, [playing, position, last, speed, events])
  const go = (to: number) => {
    setPlaying(false)
    setWanted(Math.max(0, Math.min(last, to)))
  }
  const play = () => {
    if (!playing && position >= last) setWanted(0)
    setPlaying(!playing)
  }
  return (
    <section className="session replay" aria-label={`Replay of the session of ${run.agentId}`}>
      <Scrubber
        {...{ position, last, playing, speed, play, go, setSpeed }}
        here={here === undefined ? null : new Date(here).toLocaleTimeString('en', { hour12: false })}
      />
      <div className="session-panes">
        <SessionLog
          events={seen}
          name={`Session of ${run.agentId}, replayed`}
          empty="Nothing has happened yet."
        />
        <SessionChange diff={position === 0 ? '' : diff} isCut={false} empty="No attempt has ended yet." />
      </div>
    </section>
  )
}

interface ScrubberProps {
  readonly position: number
  readonly last: number
  /** The time of the event that is shown; null before the first. */
  readonly here: string | null
  readonly playing: boolean
  readonly speed: number
  readonly play: () => void
  readonly go: (to: number) => void
  readonly setSpeed: (speed: number) => void
}

function Scrubber({ position, last, here, playing, speed, play, go, setSpeed }: ScrubberProps) {
  const id = useId()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== ' ') return
    event.preventDefault()
    play()
  }
  const words = `${position} of ${last}${here === null ? '' : `, ${here}`}`
  return (
    <div className="scrubber">
      <button
        type="button"
        aria-label="Step back"
        aria-disabled={position === 0}
        onClick={() => go(position - 1)}
      >
        ‹
      </button>
      <button type="button" className="primary" onClick={play}>
        {playing ? 'Pause' : 'Play'}
      </button>
      <button
        type="button"
        aria-label="Step forward"
        aria-disabled={position === last}
        onClick={() => go(position + 1)}
      >
        ›
      </button>
      <input
        type="range"
        aria-label="Position in the session"
        aria-valuetext={words}
        min={0}
        max={last}
        value={position}
        onKeyDown={onKey}
        onChange={(event) => go(Number(event.target.value))}
      />
      <span className="muted scrubber-words">{words}</span>
      <label htmlFor={id}>
        Speed{' '}
        <select id={id} value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
