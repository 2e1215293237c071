// The screen that the address names. The crew comes with the page; the others are fetched when the page is at rest.
import { type ComponentType, memo, Suspense, use, useEffect, useRef } from 'react'
import { Feed } from '../activity/feed.tsx'
import type { Group } from '../board/board.model.ts'
import { NeedsYou } from '../board/needs-you.tsx'
import { Crew } from '../crew/crew.tsx'
import type { LiveState, Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Boundary } from './boundary.tsx'
import { useRoute } from './route.ts'
import { screenKey } from './screens.model.ts'

const load = {
  activity: () => import('../activity/activity.tsx'),
  board: () => import('../board/board.tsx'),
  conflicts: () => import('../conflicts/conflicts.tsx'),
  costs: () => import('../costs/costs.tsx'),
  health: () => import('../health/health.tsx'),
  inbox: () => import('../inbox/inbox.tsx'),
  item: () => import('../item/item.tsx'),
  lessons: () => import('../lessons/lessons.tsx'),
  loops: () => import('../loops/loops.tsx'),
  metrics: () => import('../metrics/metrics.tsx'),
  review: () => import('../review/review.tsx'),
  maintenance: () => import('../maintenance/maintenance.tsx'),
}

// These parts are drawn anew only if what they show has changed.
const TheCrew = memo(Crew)
const TheFeed = memo(Feed)
const WhatNeedsYou = memo(NeedsYou)
const Activity = onDemand(() => load.activity().then((loaded) => loaded.Activity))
const Board = onDemand(() => load.board().then((loaded) => loaded.Board))
const Conflicts = onDemand(() => load.conflicts().then((loaded) => loaded.Conflicts))
const Costs = onDemand(() => load.costs().then((loaded) => loaded.Costs))
const HealthScreen = onDemand(() => load.health().then((loaded) => loaded.HealthScreen))
const Inbox = onDemand(() => load.inbox().then((loaded) => loaded.Inbox))
const ItemScreen = onDemand(() => load.item().then((loaded) => loaded.ItemScreen))
const Lessons = onDemand(() => load.lessons().then((loaded) => loaded.Lessons))
const Loops = onDemand(() => load.loops().then((loaded) => loaded.Loops))
const Metrics = onDemand(() => load.metrics().then((loaded) => loaded.Metrics))
const Maintenance = onDemand(() => load.maintenance().then((loaded) => loaded.Maintenance))

const ReviewScreen = onDemand(() => load.review().then((loaded) => loaded.ReviewScreen))

const NONE: Group['items'] = []
/** A pause after which the first screen is up and read. */
const REST_MS = 1_000

interface ScreenProps {
  readonly live: Live
  readonly state: LiveState
  readonly snapshot: Snapshot
  /** Items that only a person can move on. */
  readonly group: Group | undefined
  readonly now: number
}

export function Screen(props: ScreenProps) {
  const route = useRoute()
  const screen = screenKey(route)
  useEffect(() => {
    const rest = setTimeout(() => {
      // A fetch that fails here is made again when the screen is asked for, where it is seen.
      for (const fetchScreen of Object.values(load)) fetchScreen().catch(() => undefined)
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

function Shown({ live, state, snapshot, group, now }: ScreenProps) {
  const route = useRoute()
  const { items, workspace } = snapshot
  switch (route.is) {
    case 'crew': {
      return (
        <div className="columns">
          <div className="left">
            {group && <WhatNeedsYou group={group} workspace={workspace} />}
            <TheCrew live={live} snapshot={snapshot} now={now} />
          </div>
          <Boundary part="The feed">
            <TheFeed events={state.events} items={items} now={now} />
          </Boundary>
        </div>
      )
    }
    case 'board':
      return <Board live={live} snapshot={snapshot} now={now} />
    case 'inbox':
      return <Inbox snapshot={snapshot} needing={group?.items ?? NONE} now={now} />
    case 'review':
      return route.item === null ? (
        <Inbox snapshot={snapshot} needing={group?.items ?? NONE} now={now} />
      ) : (
        <ReviewScreen
          live={live}
          snapshot={snapshot}
          needing={group?.items ?? NONE}
          item={route.item}
          now={now}
        />
      )
    case 'conflicts':
      return <Conflicts live={live} snapshot={snapshot} id={route.id} now={now} />
    case 'costs':
      return <Costs live={live} snapshot={snapshot} days={route.days} />
    case 'metrics':
      return <Metrics live={live} snapshot={snapshot} period={route.period} now={now} />
    case 'maintenance':
      return <Maintenance live={live} snapshot={snapshot} now={now} />
    case 'lessons':
      return <Lessons live={live} last={snapshot.at} now={now} />
    case 'health':
      return <HealthScreen live={live} last={snapshot.at} now={now} />
    case 'loops':
      return <Loops live={live} state={state} snapshot={snapshot} item={route.item} />
    case 'activity':
      return <Activity events={state.events} snapshot={snapshot} agentId={route.agentId} now={now} />
    case 'item':
      return <ItemScreen live={live} snapshot={snapshot} item={route.item} events={state.events} now={now} />
  }
}
