// One build while it turns: what waits for what, who works on which file, what failed and why, money and time.
import type { BuildTask, BuildView } from '@treadle/contracts/build'
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { useCallback } from 'react'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { lastTold } from '../live/told.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { Fold } from '../parts/fold.tsx'
import { GraphDrawing } from '../parts/graph-drawing.tsx'
import { PlanningLook } from '../parts/planning-look.tsx'
import { Problem } from '../parts/problem.tsx'
import { BUILDS, hrefOf } from '../parts/route.model.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { taskGraphOf } from '../parts/task-graph.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import {
  BUILD_STATUS,
  failureWords,
  forecastWords,
  mayResume,
  mayRetry,
  mayStop,
  stateWords,
  taskStatus,
  todoOf,
} from './build.model.ts'
import './builds.css'

export interface BuildScreenProps {
  readonly live: Live
  /** The time of the last reading of the page. */
  readonly last: number
  readonly events: readonly StoredEvent[]
  readonly now: number
  /** The id of the build, or its idea. */
  readonly id: string
  readonly items: readonly Item[]
}

export function BuildScreen({ live, id, items, last, events, now }: BuildScreenProps) {
  const ask = useCallback((client: Client) => client.showBuild({ params: { id } }).then(revealAll), [id])
  const { answer: build, problem } = useAnswer(live, ask, `${lastTold(events, null)} ${last}`)
  return (
    <section className="build" aria-labelledby="build">
      <div>
        <p>
          <a href={hrefOf(BUILDS)}>← Builds</a>
        </p>
        <h2 id="build" tabIndex={-1} dir="auto">
          {build?.title ?? 'Build'}
        </h2>
        {build !== null && <Facts build={build} now={now} />}
      </div>
      <Problem text={problem} />
      {build === null && problem === null && <p className="muted">Reading the build…</p>}
      {build !== null && <Shown build={build} items={items} />}
      {build !== null && build.completedAt !== null && (
        <PlanningLook
          key={build.completedAt}
          live={live}
          read={(client) => client.buildRetrospective({ params: { id } })}
        />
      )}
    </section>
  )
}

function Facts({ build, now }: { build: BuildView; now: number }) {
  const { spec, revision, branch, target, startedAt, status } = build
  const { words, tone } = BUILD_STATUS[status]
  return (
    <p className="facts muted">
      <span>
        <span className="badge" data-tone={tone}>
          {words}
        </span>
      </span>
      <a href={hrefOf({ is: 'specifications', idea: spec, view: 'document' })}>Revision {revision}</a>
      <span>
        <code>{branch}</code> into <code>{target}</code>
      </span>
      <span>
        started <TimeAgo at={startedAt} now={now} />
      </span>
    </p>
  )
}

function Shown({ build, items }: { build: BuildView; items: readonly Item[] }) {
  const { tasks, projectNumber } = build
  const known = tasks.map((task): KnownTask => {
    const item = { projectNumber, number: task.number }
    const kept = items.find((each) => each.number === task.number && each.projectNumber === projectNumber)
    return { ...task, item, shown: taskStatus(task, kept?.clearance ?? null) }
  })
  return (
    <>
      <Trouble build={build} />
      <Progress build={build} />
      {known.length === 0 ? <p className="empty">It has no tasks yet.</p> : <Graph tasks={known} />}
      <ol className="build-list" aria-label="Tasks">
        {known.map((task) => (
          <Task key={task.id} task={task} build={build} />
        ))}
      </ol>
    </>
  )
}

/** What went wrong with the whole, and what to do. */
function Trouble({ build }: { build: BuildView }) {
  const { status, why, edited } = build
  const todo = todoOf(build)
  return (
    <>
      {(why !== null || todo !== null) && (
        <div className="banner" data-tone={status === 'failed' ? 'bad' : 'attention'} role="alert">
          {why !== null && <p dir="auto">{why}</p>}
          {todo !== null && <p>{todo}</p>}
        </div>
      )}
      {edited !== null && (
        <div className="banner" data-tone="attention">
          <p>The specification has changed since: it is at revision {edited.revision}.</p>
          {edited.difference.length > 0 && (
            <Fold initiallyOpen={false} summary="Show the difference">
              <Lines>{edited.difference.join('\n')}</Lines>
            </Fold>
          )}
        </div>
      )}
    </>
  )
}

function Lines({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <pre className="evidence" tabIndex={0}>
      {children}
    </pre>
  )
}

function Progress({ build }: { build: BuildView }) {
  const { tasks, counts, usd: spent, elapsedMs, prime } = build
  const forecast = forecastWords(build)
  return (
    <section className="card padded build-progress" aria-label="Progress">
      <ShareBar
        label={`${counts.complete} of ${tasks.length} tasks merged`}
        share={tasks.length === 0 ? 0 : (counts.complete ?? 0) / tasks.length}
      />
      <dl className="fact-list">
        <div>
          <dt>So far</dt>
          <dd>
            {usd(spent)}, {duration(elapsedMs)} at work
          </dd>
        </div>
        {forecast !== null && (
          <div>
            <dt>Forecast</dt>
            <dd>{forecast}</dd>
          </div>
        )}
        <div>
          <dt>Delivery</dt>
          <dd>
            <Delivery build={build} />
          </dd>
        </div>
      </dl>
      {prime !== '' && <p className="muted">{prime}</p>}
      <Orders build={build} />
    </section>
  )
}

/** The one change that brings the whole onto the target. */
function Delivery({ build }: { build: BuildView }) {
  const { delivery, projectNumber, deliveryState, mergeCommit, finalValidation } = build
  if (delivery === null) return 'Not yet'
  const item = { projectNumber, number: delivery }
  const gates = finalValidation?.map(({ gate, is }) => `${gate} ${is}`.replaceAll('_', ' ')).join(', ')
  return (
    <>
      <a href={hrefOf({ is: 'item', item })}>#{delivery}</a> {stateWords(deliveryState ?? '')}
      {mergeCommit !== null && (
        <>
          {' '}
          as <code>{mergeCommit.slice(0, 8)}</code>, <a href={hrefOf({ is: 'item', item })}>receipt</a>
        </>
      )}
      {deliveryState === 'in_review' && (
        <>
          , <a href={hrefOf({ is: 'review', item })}>review</a>
        </>
      )}
      {gates && `: ${gates}`}
    </>
  )
}

function Orders({ build }: { build: BuildView }) {
  const params = { id: build.id }
  const key = `build:${build.id}`
  if (mayStop(build))
    return (
      <div className="options">
        <ActionButton
          words="Stop"
          busyWords="Stopping…"
          action={{
            key,
            done: 'Nothing new of it begins.',
            failed: 'The build could not be stopped.',
            work: (client) => client.stopBuild({ params, body: {} }),
          }}
        />
      </div>
    )
  if (!mayResume(build)) return null
  return (
    <div className="options">
      <ActionButton
        className="primary"
        words="Resume"
        busyWords="Resuming…"
        action={{
          key,
          done: 'The build goes on.',
          failed: 'The build could not go on.',
          work: (client) => client.resumeBuild({ params, body: {} }),
        }}
      />
    </div>
  )
}

interface KnownTask extends BuildTask {
  readonly item: ItemRef
  readonly shown: ReturnType<typeof taskStatus>
}

function Graph({ tasks }: { tasks: readonly KnownTask[] }) {
  const graph = taskGraphOf(tasks, ({ item, agent, shown: { words, tone } }) => {
    const stands = agent === null ? words : `${words}: ${agent}`
    return { second: stands, href: hrefOf({ is: 'item', item }), tone, stands }
  })
  return (
    <div className="work-graph">
      <GraphDrawing {...graph} />
    </div>
  )
}

function Task({ task, build }: { task: KnownTask; build: BuildView }) {
  const { id, item, title, file, agent, attempts, why, usd: spent, workedMs, shown } = task
  const failures = build.failures.filter((failure) => failure.task === id)
  return (
    <li className="card padded">
      <p>
        <span className="number">{id}</span>{' '}
        <a href={hrefOf({ is: 'item', item })} dir="auto">
          {title}
        </a>
      </p>
      <p className="facts muted">
        <span>
          <span className="badge" data-tone={shown.tone}>
            {shown.words}
          </span>
        </span>
        {agent !== null && <span>{agent}</span>}
        <code>{file}</code>
        {attempts > 1 && <span>attempt {attempts}</span>}
        {spent > 0 && <span>{usd(spent)}</span>}
        {workedMs > 0 && <span>{duration(workedMs)}</span>}
      </p>
      {why !== null && <p dir="auto">{why}</p>}
      {failures.length > 0 && (
        <Fold initiallyOpen={false} summary={`What failed (${failures.length})`}>
          <ul>
            {failures.map((failure) => (
              <li key={failure.at} dir="auto">
                {failureWords(failure)}
                {failure.error !== '' && <Lines>{failure.error}</Lines>}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {mayRetry(task) && (
        <ActionButton
          words="Retry"
          busyWords="Retrying…"
          label={`Retry ${id}`}
          action={{
            key: `retry:${build.id}:${id}`,
            done: `${id} is tried again.`,
            failed: `${id} could not be tried again.`,
            work: (client) => client.retryTask({ params: { id: build.id }, body: { task: id } }),
          }}
        />
      )}
    </li>
  )
}
