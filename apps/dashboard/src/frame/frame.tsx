// What stands around every screen: where one is, whether it is live, what it costs, and the ways to go.
import { timeAgo } from '@treadle/contracts/words/time'
import { useEffect, useState } from 'react'
import { Activity } from '../activity/activity.tsx'
import { Feed } from '../activity/feed.tsx'
import { approvalWords, groupItems } from '../board/board.model.ts'
import { Board } from '../board/board.tsx'
import { NeedsYou } from '../board/needs-you.tsx'
import { CostTracker, HoldBanner } from '../costs/tracker.tsx'
import { countCrew, countWords } from '../crew/crew.model.ts'
import { Crew } from '../crew/crew.tsx'
import { CrewControls } from '../crew/crew-controls.tsx'
import { HealthScreen } from '../health/health.tsx'
import { Blocked } from '../inbox/blocked.tsx'
import { entriesOf } from '../inbox/inbox.model.ts'
import { Inbox } from '../inbox/inbox.tsx'
import { ItemScreen } from '../item/item.tsx'
import { Lessons } from '../lessons/lessons.tsx'
import { type Connection, connectionOf, type LiveState, type Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Loops } from '../loops/loops.tsx'
import { ActingProvider } from '../parts/acting.tsx'
import { Wheel } from '../parts/wheel.tsx'
import { Navigation } from './navigation.tsx'
import { useRoute } from './route.ts'

const TICK_MS = 5_000

interface FrameProps {
  readonly live: Live
  readonly state: LiveState
  readonly snapshot: Snapshot
}

export function Frame({ live, state, snapshot }: FrameProps) {
  const now = useNow()
  const route = useRoute()
  const { workspace, agents, items } = snapshot
  const waiting = waitingIn(snapshot)
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}Treadle · ${folderOf(workspace.root)}`
  }, [waiting, workspace.root])
  return (
    <ActingProvider live={live}>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Header state={state} snapshot={snapshot} />
      <section className="crew-line" aria-label="The whole crew">
        <p className="muted">{agents.length === 0 ? 'No agents' : countWords(countCrew(agents))}</p>
        {agents.length > 0 && <CrewControls live={live} items={items} />}
      </section>
      <Navigation at={route} waiting={waiting} />
      <main id="main" tabIndex={-1}>
        <Banners connection={connectionOf(state)} state={state} snapshot={snapshot} now={now} />
        {route.is !== 'inbox' && <Blocked questions={snapshot.questions} />}
        <Screen live={live} state={state} snapshot={snapshot} now={now} />
      </main>
    </ActingProvider>
  )
}

function Screen({ live, state, snapshot, now }: FrameProps & { now: number }) {
  const route = useRoute()
  const { items, workspace } = snapshot
  switch (route.is) {
    case 'crew': {
      const group = needing(snapshot)
      return (
        <div className="columns">
          <div className="left">
            {group && <NeedsYou group={group} workspace={workspace} />}
            <Crew live={live} snapshot={snapshot} now={now} />
          </div>
          <Feed events={state.events} items={items} now={now} />
        </div>
      )
    }
    case 'board':
      return <Board snapshot={snapshot} now={now} />
    case 'inbox':
      return <Inbox snapshot={snapshot} needing={needing(snapshot)?.items ?? []} now={now} />
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

function Header({ state, snapshot }: { state: LiveState; snapshot: Snapshot }) {
  const { workspace, items, costs } = snapshot
  const connection = connectionOf(state)
  return (
    <header className="top">
      <h1 className="brand">
        <Wheel /> Treadle
      </h1>
      <p className="where">
        <code title={workspace.root}>{workspace.root}</code>
        <span className="muted">
          on <code>{workspace.target}</code>
        </span>
      </p>
      <p className="mode">{approvalWords(workspace.config.merge.approval)}</p>
      <p className="connection" role="status" data-connection={connection}>
        <span className="dot" aria-hidden="true" />
        {CONNECTION_WORDS[connection]}
      </p>
      <CostTracker costs={costs} items={items} />
    </header>
  )
}

function waitingIn(snapshot: Snapshot): number {
  const { questions, conflicts } = snapshot
  return entriesOf({ questions, conflicts, items: needing(snapshot)?.items ?? [] }).length
}

function needing({ items, workspace }: Snapshot) {
  return groupItems(items, workspace.config.merge.approval).find(({ id }) => id === 'needs_you')
}

const CONNECTION_WORDS: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
}

interface BannersProps {
  connection: Connection
  state: LiveState
  snapshot: Snapshot
  now: number
}

function Banners({ connection, state, snapshot, now }: BannersProps) {
  return (
    <div className="banners">
      {connection === 'offline' && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>The daemon does not answer.</strong> What you see was read{' '}
          {timeAgo(new Date(snapshot.at).toISOString(), now)}. Start it with <code>treadle up</code>; this
          page comes back by itself.
        </p>
      )}
      {connection === 'reconnecting' && (
        <p className="banner" data-tone="attention" role="alert">
          <strong>The live connection is interrupted.</strong> Until it is back, this page asks every 5
          seconds.
        </p>
      )}
      {state.trouble?.is === 'failing' && (
        <p className="banner" data-tone="bad" role="alert">
          <strong>{state.trouble.message}</strong> {state.trouble.hint}
        </p>
      )}
      {snapshot.workspace.errors.map((error) => (
        <p className="banner" data-tone="bad" role="alert" key={error}>
          <strong>Settings:</strong> {error}
        </p>
      ))}
      <HoldBanner hold={snapshot.costs.daily.hold} />
      {snapshot.workspace.warnings.map((warning) => (
        <p className="banner" data-tone="attention" key={warning}>
          <strong>Settings:</strong> {warning}
        </p>
      ))}
    </div>
  )
}

function folderOf(root: string): string {
  return root.split(/[\\/]/).findLast((part) => part !== '') ?? root
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
