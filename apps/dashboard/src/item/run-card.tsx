// One run: its attempts as a timeline, each with what it changed, what the checks said and what it cost.
import type { Run } from '@treadle/contracts/run'
import { usd } from '@treadle/contracts/words/money'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { AttemptCard } from './attempt-card.tsx'
import { GateList } from './gate-list.tsx'
import { attemptsOf, costOf } from './item.model.ts'

interface RunCardProps {
  readonly run: Run
  readonly live: Live
  readonly open: boolean
  readonly now: number
}

export function RunCard({ run, live, open, now }: RunCardProps) {
  const attempts = attemptsOf(run)
  const cost = costOf(run)
  const end = run.endedAt === null ? now : Date.parse(run.endedAt)
  return (
    <details className="card run" open={open}>
      <summary>
        <strong>{run.agentId}</strong>
        <span className="facts muted">
          <span>{run.outcome ?? run.status}</span>
          <span>{attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}</span>
          <span>{duration(Math.max(0, end - Date.parse(run.startedAt)))}</span>
          {cost !== null && <span>{usd(cost)}</span>}
          <time dateTime={run.startedAt} title={new Date(run.startedAt).toLocaleString()}>
            {timeAgo(run.startedAt, now)}
          </time>
        </span>
      </summary>
      <div className="run-body">
        {attempts.length === 0 && <p className="muted">Nothing has been finished in it yet.</p>}
        <ol className="attempts">
          {attempts.map((attempt) => (
            <AttemptCard
              key={attempt.number}
              attempt={attempt}
              live={live}
              open={attempt.number === attempts.length}
            />
          ))}
        </ol>
        {run.gates.length > 0 && (
          <>
            <h4>Checks of what was delivered</h4>
            <GateList gates={run.gates} live={live} />
          </>
        )}
      </div>
    </details>
  )
}
