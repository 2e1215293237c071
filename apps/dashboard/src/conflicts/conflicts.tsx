// The conflicts screen: those that wait for a person, and those that are foreseen.
import type { Client } from '@treadle/contracts/client'
import type { Conflict, PredictedConflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { ConflictDetail } from './conflict-detail.tsx'
import { filesWords, linesWords, STATUS, sideName } from './conflicts.model.ts'

interface ConflictsProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly now: number
  /** The conflict to show; null shows all that wait. */
  readonly id: number | null
}

export function Conflicts({ live, snapshot, now, id }: ConflictsProps) {
  if (id !== null) return <ConflictDetail key={id} live={live} snapshot={snapshot} now={now} id={id} />
  return (
    <div className="left">
      <Waiting conflicts={snapshot.conflicts} now={now} />
      <Coming live={live} last={snapshot.at} now={now} />
    </div>
  )
}

function Waiting({ conflicts, now }: { conflicts: readonly Conflict[]; now: number }) {
  return (
    <section aria-labelledby="conflicts">
      <div className="section-head">
        <h2 id="conflicts" tabIndex={-1}>
          Conflicts <span className="count">{conflicts.length}</span>
        </h2>
        <p className="muted">changes that cannot be merged without you</p>
      </div>
      {conflicts.length === 0 && (
        <p className="empty">
          No conflict waits for you. One that cannot be resolved without a person appears here at once.
        </p>
      )}
      <ul className="conflicts">
        {conflicts.map((conflict) => (
          <ConflictCard key={conflict.id} conflict={conflict} now={now} />
        ))}
      </ul>
    </section>
  )
}

function ConflictCard({ conflict, now }: { conflict: Conflict; now: number }) {
  const { id, projectNumber, issueNumber, issueTitle, conflictingFiles, status, why, createdAt } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  return (
    <li className="card padded conflict">
      <p className="facts">
        <span className="badge" data-tone={STATUS[status].tone}>
          {STATUS[status].words}
        </span>
        <span>project {projectNumber}</span>
        <span>{filesWords(conflictingFiles.length)}</span>
        <TimeAgo at={createdAt} now={now} />
      </p>
      <h3>
        <a href={hrefOf({ is: 'conflicts', id })}>
          {label} {issueTitle}
        </a>
      </h3>
      <p className="reason">{why}</p>
    </li>
  )
}

const predicted = (client: Client) => client.predictedConflicts().then(revealAll)

function Coming({ live, last, now }: { live: Live; last: number; now: number }) {
  const { answer, problem } = useAnswer(live, predicted, last)
  return (
    <section aria-labelledby="coming">
      <div className="section-head">
        <h2 id="coming">Coming {answer && <span className="count">{answer.items.length}</span>}</h2>
        <p className="muted">branches that would not merge if they go on as they are now</p>
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <p className="empty">None is foreseen. Branches at work are held against each other all the time.</p>
      )}
      <ul className="conflicts">
        {answer?.items.map((pair) => (
          <ComingCard key={`${pair.one.branch} ${pair.other.branch}`} pair={pair} now={now} />
        ))}
      </ul>
    </section>
  )
}

function ComingCard({ pair: { one, other, files, since }, now }: { pair: PredictedConflict; now: number }) {
  return (
    <li className="card padded conflict">
      <p className="facts">
        <span className="badge" data-tone="attention">
          Foreseen
        </span>
        <span>{filesWords(files.length)}</span>
        <span>{timeAgo(since, now)}</span>
      </p>
      <h3>
        {[one, other].map((side, at) => (
          <span key={side.branch}>
            {at === 1 && ' and '}
            {side.item === null ? (
              sideName(side)
            ) : (
              <a href={hrefOf({ is: 'item', item: side.item })}>{sideName(side)}</a>
            )}
          </span>
        ))}
      </h3>
      <ul>
        {files.map(({ path, lines }) => (
          <li key={path}>
            <code>{path}</code> <span className="muted">{linesWords(lines)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
