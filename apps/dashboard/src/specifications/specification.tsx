// One specification: its text, its tasks and what waits for what; beside it the report and the decision.
import type { Client } from '@treadle/contracts/client'
import type { Slug } from '@treadle/contracts/idea'
import type { SpecificationView as Specification } from '@treadle/contracts/specification'
import type { OpenThought } from '@treadle/contracts/thought'
import { useCallback } from 'react'
import type { Live } from '../live/live.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Choice } from '../parts/choice.tsx'
import { GraphDrawing } from '../parts/graph-drawing.tsx'
import { PlanningLook } from '../parts/planning-look.tsx'
import { Problem } from '../parts/problem.tsx'
import { Prose } from '../parts/prose.tsx'
import { hrefOf, SPECIFICATIONS, type SpecificationView } from '../parts/route.model.ts'
import { taskGraphOf } from '../parts/task-graph.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { LiveThought } from '../session/live-thought.tsx'
import { Decide } from './decide.tsx'
import { Report } from './report.tsx'
import { ACTION_TONES, sizeWords, statusBadge } from './specification.model.ts'
import type { SpecificationsProps } from './specifications.tsx'
import { TaskList } from './task-list.tsx'
import { type ReadSpecification, useRead } from './use-read.ts'
import './specifications.css'

const VIEWS: readonly { readonly value: SpecificationView; readonly words: string }[] = [
  { value: 'document', words: 'Document' },
  { value: 'tasks', words: 'Tasks' },
  { value: 'graph', words: 'Task graph' },
]

interface SpecificationScreenProps extends SpecificationsProps {
  readonly slug: Slug
  readonly view: SpecificationView
  /** The task that the address names. */
  readonly task: string | undefined
}

export function SpecificationScreen(props: SpecificationScreenProps) {
  const { live, slug, view, task, last, events, now } = props
  const again = `${lastTold(events, slug)} ${last}`
  const { shown, newer, problem, takeNewest, awaitNext } = useRead(live, slug, again)
  const thoughts = useThoughts(live, slug, again)
  const specification = shown?.specification ?? null
  return (
    <section className="specification" aria-labelledby="specification">
      <div>
        <p>
          <a href={hrefOf(SPECIFICATIONS)}>← Specifications</a>
        </p>
        <h2 id="specification" tabIndex={-1} dir="auto">
          {specification?.title ?? slug}
        </h2>
        {specification !== null && <Facts specification={specification} now={now} />}
      </div>
      {thoughts.map((thought) => (
        <LiveThought key={thought.id} thought={thought} live={live} />
      ))}
      {/* While the first is being written there is none yet, and nothing is wrong with that. */}
      <Problem text={thoughts.length > 0 && shown === null ? null : problem} />
      {shown === null && problem === null && thoughts.length === 0 && (
        <p className="muted">Reading the specification…</p>
      )}
      {newer !== null && (
        <div className="banner" data-tone="attention" role="alert">
          <p>Revision {newer} is there. You are reading the one before it.</p>
          <button type="button" onClick={takeNewest}>
            Show revision {newer}
          </button>
        </div>
      )}
      {shown !== null && <Unreadable why={shown.why} />}
      {specification !== null && <Beside paths={specification.beside} />}
      {shown !== null && (
        <div className="specification-columns" data-view={view}>
          <div className="specification-main">
            <Choice
              label="What is shown"
              options={VIEWS}
              value={view}
              onChoose={(chosen) =>
                location.replace(hrefOf({ is: 'specifications', idea: slug, view: chosen }))
              }
            />
            <Shown view={view} read={shown} task={task} />
          </div>
          {specification !== null && (
            <aside className="specification-aside" aria-label="Report and decision">
              <Decide specification={specification} live={live} now={now} onRequested={awaitNext} />
              <Report specification={specification} />
              <PlanningLook
                key={specification.revision}
                live={live}
                read={(client) => client.specificationRetrospective({ params: { id: slug }, query: {} })}
              />
            </aside>
          )}
        </div>
      )}
    </section>
  )
}

const NO_THOUGHTS: readonly OpenThought[] = []

/** What models are writing about it just now. */
function useThoughts(live: Live, subject: Slug, again: string): readonly OpenThought[] {
  const ask = useCallback((client: Client) => client.openThoughts({ query: { subject } }), [subject])
  const { answer } = useAnswer(live, ask, again)
  return answer?.items ?? NO_THOUGHTS
}

function Facts({ specification, now }: { specification: Specification; now: number }) {
  const { slug, revision, tasks, writtenBy, generatedAt } = specification
  const { words, tone } = statusBadge(specification)
  return (
    <p className="facts muted">
      <span>
        <span className="badge" data-tone={tone}>
          {words}
        </span>
      </span>
      <span>Revision {revision}</span>
      <span>{sizeWords(tasks)}</span>
      <span>by {writtenBy}</span>
      <TimeAgo at={generatedAt} now={now} />
      <span>
        <a href={hrefOf({ is: 'ideas', idea: slug })}>The idea</a>
      </span>
    </p>
  )
}

function Unreadable({ why }: { why: string | null }) {
  if (why === null) return null
  return (
    <div className="banner" data-tone="bad" role="alert">
      <p>{why}</p>
      <p>The files are shown here as you left them.</p>
    </div>
  )
}

function Beside({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null
  return (
    <div className="banner" data-tone="attention">
      <p>
        You edited what stands in the repository, so it stays. The newer text is beside it:{' '}
        {paths.map((path) => (
          <code key={path}>{path} </code>
        ))}
      </p>
    </div>
  )
}

interface ShownProps {
  readonly view: SpecificationView
  readonly read: ReadSpecification
  readonly task: string | undefined
}

function Shown({ view, read: { specification, document }, task }: ShownProps) {
  if (view === 'document' || specification === null)
    return (
      <article className="card padded" aria-label="Document">
        <Prose isDocument>{view === 'document' ? document.spec : document.tasks}</Prose>
      </article>
    )
  if (specification.tasks.length === 0) return <p className="empty">It has no tasks.</p>
  if (view === 'tasks') return <TaskList tasks={specification.tasks} chosen={task} />
  const graph = taskGraphOf(specification.tasks, ({ id, title, action }) => ({
    second: title,
    href: hrefOf({ is: 'specifications', idea: specification.slug, view: 'tasks', task: id }),
    tone: ACTION_TONES[action],
  }))
  return (
    <div className="work-graph">
      <p className="muted">
        Phases from left to right; an arrow leads from a task to those that wait for it.
      </p>
      <GraphDrawing {...graph} />
    </div>
  )
}
