// The list of builds: where each stands.
import type { Build } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf, SPECIFICATIONS } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { showItems, WorkViews } from '../parts/work-views.tsx'
import { BUILD_STATUS } from './build.model.ts'
import { BuildScreen, type BuildScreenProps } from './build.tsx'

interface BuildsProps extends Omit<BuildScreenProps, 'id'> {
  /** The build to show; null stands for the list. */
  readonly id: string | null
}

const read = (client: Client) => client.listBuilds().then(revealAll)

export function Builds({ id, ...facts }: BuildsProps) {
  return id === null ? <BuildList {...facts} /> : <BuildScreen {...facts} id={id} />
}

function BuildList({ live, last, events, now }: Omit<BuildsProps, 'id'>) {
  const { answer, problem } = useAnswer(live, read, `${lastTold(events, null)} ${last}`)
  return (
    <section aria-labelledby="builds">
      <div className="section-head">
        <h2 id="builds" tabIndex={-1}>
          Builds
        </h2>
        {answer === null && problem === null && <p className="muted">Reading the builds…</p>}
      </div>
      <div className="view-line">
        <WorkViews view="builds" onItems={showItems} />
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <div className="empty">
          <p>
            There are no builds yet. One begins when you approve a specification, under{' '}
            <a href={hrefOf(SPECIFICATIONS)}>Specifications</a>.
          </p>
        </div>
      )}
      <ul className="build-list">
        {answer?.items.map((build) => (
          <Row key={build.id} build={build} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Row({ build, now }: { build: Build; now: number }) {
  const { spec, id, title, commits, tasksTotal, revision, startedAt, why } = build
  const { words, tone } = BUILD_STATUS[build.status]
  return (
    <li className="card padded">
      <h3>
        <a className="clamp" href={hrefOf({ is: 'builds', build: id })} dir="auto">
          {title}
        </a>
      </h3>
      <p className="facts muted">
        <span>
          <span className="badge" data-tone={tone}>
            {words}
          </span>
        </span>
        <span>
          {commits.length} of {tasksTotal} tasks merged
        </span>
        <span>
          {spec}, revision {revision}
        </span>
        <span>
          started <TimeAgo at={startedAt} now={now} />
        </span>
      </p>
      {why !== null && <p dir="auto">{why}</p>}
    </li>
  )
}
