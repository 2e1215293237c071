// The frame around every screen: workspace, connection, costs, banners and navigation.
import { timeAgo } from '@treadle/contracts/words/time'
import { memo, useEffect, useMemo, useState } from 'react'
import { approvalWords, type Group, needing } from '../board/board.model.ts'
import { CostTracker, HoldBanner } from '../costs/cost-tracker.tsx'
import { countCrew, countWords } from '../crew/crew.model.ts'
import { CrewControls } from '../crew/crew-controls.tsx'
import { AlertBanner } from '../health/alert-banner.tsx'
import { BlockingBanner } from '../inbox/blocking-banner.tsx'
import { entriesOf } from '../inbox/inbox.model.ts'
import { type Connection, connectionOf, type LiveState, type Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { MetricsSummary } from '../metrics/metrics-summary.tsx'
import { ActionsProvider } from '../parts/actions.tsx'
import { Logo } from '../parts/logo.tsx'
import { isLost } from '../parts/route.model.ts'
import { useHostTrouble } from '../webview/host-context.tsx'
import { Boundary } from './boundary.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { Keys } from './keys.tsx'
import { Navigation } from './navigation.tsx'
import { useRoute } from './route.ts'
import { Screen } from './screen.tsx'
import { nameOf } from './screens.model.ts'

const TICK_MS = 5_000

export function Frame({ live, state, snapshot }: { live: Live; state: LiveState; snapshot: Snapshot }) {
  const now = useNow()
  const route = useRoute()
  const { workspace, items } = snapshot
  const group = useMemo(() => needing({ items, workspace }), [items, workspace])
  const waiting = waitingIn(snapshot, group)
  useEffect(() => {
    const count = waiting > 0 ? `(${waiting}) ` : ''
    document.title = `${count}${nameOf(route)} · Treadle · ${folderOf(workspace.root)}`
  }, [waiting, workspace.root, route])
  return (
    <ActionsProvider
      live={live}
      mayDecide={workspace.key === 'owner'}
      engine={workspace.config.engines.default}
    >
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Boundary part="The header">
        <Header live={live} connection={connectionOf(state)} snapshot={snapshot} />
        <CrewLine live={live} snapshot={snapshot} />
      </Boundary>
      <Navigation at={route} waiting={waiting} />
      <main id="main" tabIndex={-1}>
        <Banners connection={connectionOf(state)} state={state} snapshot={snapshot} now={now} />
        <AlertBanner live={live} snapshot={snapshot} now={now} />
        {route.is !== 'inbox' && <BlockingBanner questions={snapshot.questions} />}
        <Screen live={live} state={state} snapshot={snapshot} group={group} now={now} />
      </main>
      <CodeDialog live={live} prompt={live.codes} />
    </ActionsProvider>
  )
}

interface HeaderProps {
  readonly live: Live
  readonly connection: Connection
  readonly snapshot: Snapshot
}

// Events come many times a second, and none of them changes what stands here.
const Header = memo(function Header({ live, connection, snapshot }: HeaderProps) {
  const { workspace, items, costs } = snapshot
  return (
    <header className="top">
      <h1 className="brand">
        <Logo /> Treadle
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
      <Keys />
      <div className="figures">
        <CostTracker costs={costs} items={items} />
        <MetricsSummary live={live} items={items} />
      </div>
    </header>
  )
})

const CrewLine = memo(function CrewLine({ live, snapshot }: Omit<HeaderProps, 'connection'>) {
  const { agents, items } = snapshot
  return (
    <section className="crew-line" aria-label="The whole crew">
      <p className="muted">{agents.length === 0 ? 'No agents' : countWords(countCrew(agents))}</p>
      {agents.length > 0 && <CrewControls live={live} items={items} />}
    </section>
  )
})

function waitingIn({ questions, conflicts }: Snapshot, group: Group | undefined): number {
  return entriesOf({ questions, conflicts, items: group?.items ?? [] }).length
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
      {snapshot.workspace.key === 'crew' && (
        <p className="banner" data-tone="attention">
          <strong>You can look, and decide nothing here.</strong> This page has the crew key. To approve,
          answer and give orders, run <code>treadle open</code> in your repository.
        </p>
      )}
      {isLost(location.hash) && (
        <p className="banner" data-tone="attention">
          <strong>Nothing is at this address.</strong> <code>{location.hash}</code> names no screen and no
          item; this is the crew.
        </p>
      )}
      <HostBanner />
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

/** A banner about a fault of the editor around the page. */
function HostBanner() {
  const { trouble, dismiss } = useHostTrouble()
  if (trouble === null) return null
  return (
    <div className="banner said" data-tone="bad" role="alert">
      <p>{trouble}</p>
      <button type="button" onClick={dismiss}>
        Dismiss
      </button>
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
