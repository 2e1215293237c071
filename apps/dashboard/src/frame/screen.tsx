// The screen that the address names. The first comes with the page; the others are fetched when the page is at rest.
import { type ComponentType, memo, Suspense, use, useEffect, useRef } from 'react'
import { Feed } from '../activity/feed.tsx'
import { Crew } from '../crew/crew.tsx'
import type { LiveState, Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import type { Route } from '../parts/route.model.ts'
import { FirstRows } from '../queue/first-rows.tsx'
import type { Entry } from '../queue/queue.model.ts'
import { Boundary } from './boundary.tsx'
import { fetchPart } from './fetch-part.ts'
import { useRoute } from './route.ts'
import { screenKey } from './screens.model.ts'

const load = {
  activity: () => import('../activity/activity.tsx'),
  board: () => import('../board/board.tsx'),
  builds: () => import('../builds/builds.tsx'),
  conflict: () => import('../conflicts/conflict-detail.tsx'),
  costs: () => import('../costs/costs.tsx'),
  health: () => import('../health/health.tsx'),
  idea: () => import('../ideas/idea.tsx'),
  ideas: () => import('../ideas/ideas.tsx'),
  item: () => import('../item/item.tsx'),
  lessons: () => import('../lessons/lessons.tsx'),
  loops: () => import('../loops/loops.tsx'),
  metrics: () => import('../metrics/metrics.tsx'),
  review: () => import('../review/review.tsx'),
  maintenance: () => import('../maintenance/maintenance.tsx'),
  predicted: () => import('../conflicts/predicted-conflicts.tsx'),
  queue: () => import('../queue/queue.tsx'),
  specification: () => import('../specifications/specification.tsx'),
  specifications: () => import('../specifications/specifications.tsx'),
  start: () => import('../start/get-started.tsx'),
}

// These parts are drawn anew only if what they show has changed.
const TheCrew = memo(Crew)
const TheFeed = memo(Feed)
const WhatNeedsYou = memo(FirstRows)
const Activity = onDemand(() => fetchPart(load.activity).then((loaded) => loaded.Activity))
const Board = onDemand(() => fetchPart(load.board).then((loaded) => loaded.Board))
const Builds = onDemand(() => fetchPart(load.builds).then((loaded) => loaded.Builds))
const ConflictDetail = onDemand(() => fetchPart(load.conflict).then((loaded) => loaded.ConflictDetail))
const Costs = onDemand(() => fetchPart(load.costs).then((loaded) => loaded.Costs))
const HealthScreen = onDemand(() => fetchPart(load.health).then((loaded) => loaded.HealthScreen))
const IdeaScreen = onDemand(() => fetchPart(load.idea).then((loaded) => loaded.IdeaScreen))
const Ideas = onDemand(() => fetchPart(load.ideas).then((loaded) => loaded.Ideas))
const ItemScreen = onDemand(() => fetchPart(load.item).then((loaded) => loaded.ItemScreen))
const Lessons = onDemand(() => fetchPart(load.lessons).then((loaded) => loaded.Lessons))
const Loops = onDemand(() => fetchPart(load.loops).then((loaded) => loaded.Loops))
const Metrics = onDemand(() => fetchPart(load.metrics).then((loaded) => loaded.Metrics))
const Maintenance = onDemand(() => fetchPart(load.maintenance).then((loaded) => loaded.Maintenance))
const SettingsScreen = onDemand(() => fetchPart(load.maintenance).then((loaded) => loaded.SettingsScreen))
const AuditScreen = onDemand(() => fetchPart(load.maintenance).then((loaded) => loaded.AuditScreen))
const SpecificationScreen = onDemand(() =>
  fetchPart(load.specification).then((loaded) => loaded.SpecificationScreen),
)
const Specifications = onDemand(() => fetchPart(load.specifications).then((loaded) => loaded.Specifications))
const GetStarted = onDemand(() => fetchPart(load.start).then((loaded) => loaded.GetStarted))
const PredictedConflicts = onDemand(() =>
  fetchPart(load.predicted).then((loaded) => loaded.PredictedConflicts),
)
const Queue = onDemand(() => fetchPart(load.queue).then((loaded) => loaded.Queue))

const ReviewScreen = onDemand(() => fetchPart(load.review).then((loaded) => loaded.ReviewScreen))

/** A pause after which the first screen is up and read. */
const REST_MS = 1_000

interface ScreenProps {
  readonly live: Live
  readonly state: LiveState
  readonly snapshot: Snapshot
  /** Everything that needs a person. */
  readonly queue: readonly Entry[]
  readonly now: number
}

export function Screen(props: ScreenProps) {
  const route = useRoute()
  const screen = screenKey(route)
  useEffect(() => {
    const rest = setTimeout(() => {
      // A fetch that fails here is made again when the screen is asked for, where it is seen.
      for (const fetchScreen of Object.values(load)) fetchPart<unknown>(fetchScreen).catch(() => undefined)
    }, REST_MS)
    return () => clearTimeout(rest)
  }, [])
  return (
    <Boundary key={screen} part="This screen" onAgain={fetchAgain}>
      <Suspense fallback={<p className="muted">Fetching the screen…</p>}>
        <Shown {...props} />
        <Arrival screen={screen} />
      </Suspense>
    </Boundary>
  )
}

let lastScreen: string | null = null

/** Moves the focus to the heading of a new screen, as a new page would; the first screen is left alone. */
function Arrival({ screen }: { screen: string }) {
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const moved = lastScreen !== null && lastScreen !== screen
    lastScreen = screen
    if (!moved) return
    const main = here.current?.closest('main')
    const heading = main?.querySelector<HTMLElement>('h2[tabindex]') ?? main
    heading?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [screen])
  return <span ref={here} hidden />
}

const failed = new Set<() => void>()

function fetchAgain(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/** A part that is fetched when it is first shown. A failed fetch stays so until the reader wants it tried again. */
function onDemand<P extends object>(fetchPart: () => Promise<ComponentType<P>>): ComponentType<P> {
  let fetching: Promise<ComponentType<P>> | null = null
  const fetchOnce = () => {
    fetching ??= fetchPart().catch((error: unknown) => {
      failed.add(() => {
        fetching = null
      })
      throw error
    })
    return fetching
  }
  function OnDemand(props: P) {
    const Part = use(fetchOnce())
    return <Part {...props} />
  }
  return memo(OnDemand) as unknown as ComponentType<P>
}

/** True until somebody works here, or has worked. */
function isFresh({ agents, items }: Snapshot): boolean {
  return agents.length === 0 && items.every(({ status }) => status === 'todo' || status === 'backlog')
}

function Shown({ live, state, snapshot, queue, now }: ScreenProps) {
  const route = useRoute()
  const { events } = state
  switch (route.is) {
    case 'now':
      return (
        <div className="columns">
          <div className="left">
            {isFresh(snapshot) && <GetStarted live={live} snapshot={snapshot} />}
            {(queue.length > 0 || !isFresh(snapshot)) && <WhatNeedsYou entries={queue} now={now} />}
            <TheCrew live={live} snapshot={snapshot} events={events} now={now} />
          </div>
          <Boundary part="The feed">
            <TheFeed events={events} items={snapshot.items} now={now} />
          </Boundary>
        </div>
      )
    case 'work':
      return (
        <Board live={live} snapshot={snapshot} events={state.events} query={route.query ?? ''} now={now} />
      )
    case 'ideas':
    case 'specifications':
    case 'builds':
      return <BeforeItems route={route} live={live} state={state} snapshot={snapshot} now={now} />
    case 'review':
      if (route.item === null)
        return (
          <div className="left">
            <Queue snapshot={snapshot} now={now} />
            <PredictedConflicts live={live} last={snapshot.at} now={now} />
          </div>
        )
      return (
        <ReviewScreen
          live={live}
          snapshot={snapshot}
          needing={queue.flatMap((entry) => (entry.is === 'item' ? [entry.item] : []))}
          item={route.item}
          now={now}
        />
      )
    case 'item':
      return <ItemScreen live={live} snapshot={snapshot} item={route.item} events={events} now={now} />
    case 'conflicts':
      return <ConflictDetail key={route.id} live={live} snapshot={snapshot} id={route.id} now={now} />
    case 'maintenance':
      return <Maintenance live={live} snapshot={snapshot} now={now} />
    case 'settings':
      return <SettingsScreen live={live} snapshot={snapshot} now={now} />
    case 'audit':
      return <AuditScreen live={live} snapshot={snapshot} />
    default:
      return <Insight route={route} live={live} state={state} snapshot={snapshot} now={now} />
  }
}

type IdeaRoute = Extract<Route, { is: 'ideas' | 'specifications' | 'builds' }>

/** What the work begins with: ideas, specifications and builds. */
function BeforeItems({
  route,
  live,
  state,
  snapshot,
  now,
}: Omit<ScreenProps, 'queue'> & { route: IdeaRoute }) {
  const facts = { live, last: snapshot.at, events: state.events, now }
  if (route.is === 'builds') return <Builds {...facts} id={route.build} items={snapshot.items} />
  const { idea } = route
  if (route.is === 'ideas')
    return idea === null ? <Ideas {...facts} /> : <IdeaScreen {...facts} slug={idea} />
  if (idea === null) return <Specifications {...facts} />
  return <SpecificationScreen {...facts} slug={idea} view={route.view} task={route.task} />
}

type InsightRoute = Extract<Route, { is: 'costs' | 'metrics' | 'lessons' | 'health' | 'activity' | 'loops' }>

function Insight({
  route,
  live,
  state,
  snapshot,
  now,
}: Omit<ScreenProps, 'queue'> & { route: InsightRoute }) {
  switch (route.is) {
    case 'costs':
      return <Costs live={live} snapshot={snapshot} days={route.days} />
    case 'metrics':
      return <Metrics live={live} snapshot={snapshot} period={route.period} now={now} />
    case 'lessons':
      return <Lessons live={live} last={snapshot.at} now={now} />
    case 'health':
      return <HealthScreen live={live} last={snapshot.at} now={now} />
    case 'loops':
      return <Loops live={live} state={state} snapshot={snapshot} item={route.item} />
    case 'activity':
      return <Activity events={state.events} snapshot={snapshot} agentId={route.agentId} now={now} />
  }
}
