// The first rows of the queue, one line each, for the first screen.
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { hrefOf, QUEUE } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { type Entry, lineOf } from './queue.model.ts'

const ROWS_MAX = 5

export function FirstRows({ entries, now }: { entries: readonly Entry[]; now: number }) {
  return (
    <section className="first-rows" aria-labelledby="needs-you">
      <div className="section-head">
        <h2 id="needs-you">
          Needs you <span className="count">{entries.length}</span>
        </h2>
        {entries.length > ROWS_MAX && (
          <a className="push" href={hrefOf(QUEUE)}>
            See all {entries.length}
          </a>
        )}
      </div>
      {entries.length === 0 ? (
        <p className="muted">Nothing right now.</p>
      ) : (
        <ul className="card rows">
          {entries.slice(0, ROWS_MAX).map((entry) => (
            <Row key={entry.key} entry={entry} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ entry, now }: { entry: Entry; now: number }) {
  const { kind, tone, title, evidence, since, route } = lineOf(entry)
  return (
    <li className="row">
      <span className="badge" data-tone={tone}>
        {kind}
      </span>
      <a href={hrefOf(route)} title={title} dir="auto">
        {title}
      </a>
      <span className="row-facts">
        {evidence !== null && <EvidenceBadge level={evidence} />}
        <TimeAgo at={since} now={now} />
      </span>
    </li>
  )
}
