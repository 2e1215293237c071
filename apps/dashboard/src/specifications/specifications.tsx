// The list of specifications: where each stands.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { count } from '@treadle/contracts/event/shape'
import type { Specification } from '@treadle/contracts/specification'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Command } from '../parts/command.tsx'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, IDEAS } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { showItems, WorkViews } from '../parts/work-views.tsx'
import { sizeWords, statusBadge } from './specification.model.ts'
import './specifications.css'

export interface SpecificationsProps {
  readonly live: Live
  /** The time of the last reading of the page. */
  readonly last: number
  readonly events: readonly StoredEvent[]
  readonly now: number
}

const read = (client: Client) => client.listSpecifications().then(revealAll)

export function Specifications({ live, last, events, now }: SpecificationsProps) {
  const { answer, problem } = useAnswer(live, read, `${lastTold(events, null)} ${last}`)
  return (
    <section aria-labelledby="specifications">
      <div className="section-head">
        <h2 id="specifications" tabIndex={-1}>
          Specifications
        </h2>
        {answer === null && problem === null && <p className="muted">Reading the specifications…</p>}
      </div>
      <div className="view-line">
        <WorkViews view="specifications" onItems={showItems} />
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <div className="empty">
          <p>
            There are no specifications yet. Each is made from an idea that has a brief: open one under{' '}
            <a href={hrefOf(IDEAS)}>Ideas</a> and choose Generate specification, or use a terminal:
          </p>
          <Command>{'treadle spec generate <idea>'}</Command>
        </div>
      )}
      <ul className="specification-list">
        {answer?.items.map((each) => (
          <Row key={each.slug} specification={each} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Row({ specification, now }: { specification: Specification; now: number }) {
  const { slug, title, tasks, validation, revision, generatedAt } = specification
  const { words, tone } = statusBadge(specification)
  return (
    <li className="card padded">
      <h3>
        <a className="clamp" href={hrefOf({ is: 'specifications', idea: slug, view: 'document' })} dir="auto">
          {title}
        </a>
      </h3>
      <p className="facts muted">
        <span>
          <span className="badge" data-tone={tone}>
            {words}
          </span>
        </span>
        <span>Revision {revision}</span>
        <span>{sizeWords(tasks)}</span>
        {validation.problems.length > 0 && <span>{count(validation.problems.length, 'problem')}</span>}
        {validation.missing.length > 0 && <span>{count(validation.missing.length, 'open point')}</span>}
        <TimeAgo at={generatedAt} now={now} />
      </p>
    </li>
  )
}
