// The session of the run at work: its log and its change, while they grow.
import type { Client } from '@treadle/contracts/client'
import type { Run } from '@treadle/contracts/run'
import { useCallback, useEffect, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { useHistory } from './run-history.ts'
import './session.css'
import { SessionChange } from './session-change.tsx'
import { SessionHead } from './session-head.tsx'
import { SessionLog } from './session-log.tsx'

/** Commands write files between two events. */
const LOOK_MS = 3_000

interface LiveSessionProps {
  readonly run: Run
  readonly live: Live
}

export function LiveSession({ run, live }: LiveSessionProps) {
  const { events, problem } = useHistory(live, run.id)
  const tick = useTick()
  const ask = useCallback((client: Client) => client.runChange({ params: { id: run.id } }), [run.id])
  const steps = events.findLast(({ event }) => event.type !== 'run.said')?.cursor
  const { answer } = useAnswer(live, ask, `${steps} ${tick}`)
  return (
    <section className="card session" aria-labelledby="session">
      <SessionHead id="session" title="Session" badge="Live" facts={[run.agentId]} />
      <Problem text={problem} />
      <div className="session-panes">
        <SessionLog
          events={events}
          name={`Session of ${run.agentId}`}
          empty="The engine has not said anything yet."
        />
        <SessionChange
          diff={answer?.diff ?? ''}
          isCut={answer?.isCut ?? false}
          empty="No file has changed yet."
        />
      </div>
    </section>
  )
}

function useTick(): number {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTick((before) => before + 1)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return tick
}
