// One run: its attempts as a timeline, each with what it changed, what the checks said and what it cost.
import type { Run } from '@treadle/contracts/run'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { Fold } from '../parts/fold.tsx'
import { GateList } from '../parts/gate-list.tsx'
import { Problem } from '../parts/problem.tsx'
import { TimeAgo } from '../parts/time-ago.tsx'
import { EVENTS_MAX, type History, useHistory } from '../session/run-history.ts'
import { AttemptCard, Inside } from './attempt-card.tsx'
import { Conclusion } from './goal-rounds.tsx'
import { attemptsOf, costOf, runWords } from './item.model.ts'
import { PhaseStrip } from './phase-strip.tsx'
import { LookingBack } from './retrospective.tsx'
import { type RunEvents, runEventsOf } from './run-events.model.ts'

const Replay = lazy(() => import('../session/replay.tsx').then((module) => ({ default: module.Replay })))

interface RunCardProps {
  readonly run: Run
  readonly live: Live
  readonly initiallyOpen: boolean
  readonly now: number
}

export function RunCard({ run, live, initiallyOpen, now }: RunCardProps) {
  const [open, setOpen] = useState(initiallyOpen)
  const history = useHistory(live, open ? run.id : null)
  const attempts = attemptsOf(run)
  const cost = costOf(run)
  const end = run.endedAt === null ? now : Date.parse(run.endedAt)
  return (
    <Fold
      className="card run"
      initiallyOpen={initiallyOpen}
      onOpen={setOpen}
      summary={
        <>
          <strong>{run.agentId}</strong>
          <span className="facts muted">
            <span>{runWords(run)}</span>
            {attempts.length > 0 && (
              <span>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</span>
            )}
            <span>{duration(Math.max(0, end - Date.parse(run.startedAt)))}</span>
            {cost !== null && <span>{usd(cost)}</span>}
            <TimeAgo at={run.startedAt} now={now} />
          </span>
        </>
      }
    >
      <RunBody run={run} live={live} history={history} />
    </Fold>
  )
}

function RunBody({ run, live, history }: { run: Run; live: Live; history: History }) {
  const attempts = attemptsOf(run)
  const runEvents = useMemo(() => runEventsOf(history.events), [history.events])
  const eventsOf = (number: number) => runEvents.attempts.find(({ attempt }) => attempt === number) ?? null
  return (
    <div className="run-body">
      <PhaseStrip history={run.history} />
      {run.endedAt !== null && <SessionAgain run={run} events={history.events} />}
      <Problem text={history.problem} />
      {history.events.length >= EVENTS_MAX && (
        <p className="muted">This run has more steps than are shown here; the first {EVENTS_MAX} are.</p>
      )}
      {attempts.length === 0 && runEvents.attempts.length === 0 && (
        <p className="muted">
          {run.endedAt === null ? 'No attempt has ended yet.' : 'It ended before its first attempt.'}
        </p>
      )}
      <ol className="attempts">
        {attempts.map((attempt) => (
          <AttemptCard
            key={attempt.number}
            attempt={attempt}
            runId={run.id}
            events={eventsOf(attempt.number)}
            live={live}
            open={attempt.number === attempts.length}
            over={run.endedAt !== null}
          />
        ))}
        <AtWork run={run} runEvents={runEvents} known={attempts.length} />
      </ol>
      {runEvents.end !== null && <Conclusion end={runEvents.end} />}
      {run.gates.length > 0 && (
        <>
          <h4>Checks of the delivery</h4>
          <GateList gates={run.gates} live={live} />
        </>
      )}
      {run.baseline.length > 0 && (
        <details>
          <summary>Checks before the change</summary>
          <GateList gates={run.baseline} live={live} on="before any change" />
        </details>
      )}
      {run.endedAt !== null && <LookingBack run={run} live={live} />}
    </div>
  )
}

function SessionAgain({ run, events }: { run: Run; events: History['events'] }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="session-again">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Close the replay' : 'Replay session'}
      </button>
      {open && (
        <Suspense fallback={<p className="muted">Loading the replay…</p>}>
          <Replay run={run} events={events} />
        </Suspense>
      )}
    </div>
  )
}

/** An attempt that is not over yet. */
function AtWork({ run, runEvents, known }: { run: Run; runEvents: RunEvents; known: number }) {
  const events = runEvents.attempts.find(({ attempt }) => attempt > known)
  if (run.endedAt !== null || events === undefined) return null
  return (
    <li className="attempt" data-tone="busy">
      <p>
        <strong>Attempt {events.attempt}</strong>{' '}
        <span className="badge" data-tone="busy">
          {runEvents.at ?? 'at work'}
        </span>
        {events.usd !== null && <span className="muted"> {usd(events.usd)}</span>}
      </p>
      <div className="attempt-body">
        <Inside events={events} />
      </div>
    </li>
  )
}
