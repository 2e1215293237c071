// The bar above every screen: where we are, who merges, the crew, what it costs, and whether the page is live.
import { memo } from 'react'
import { meterOf } from '../costs/cost-tracker.model.ts'
import { CostMeter, SpendToday } from '../costs/cost-tracker.tsx'
import { type CrewCounts, countCrew, countParts } from '../crew/crew.model.ts'
import { CrewControls } from '../crew/crew-controls.tsx'
import type { Connection, Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { MetricsSummary } from '../metrics/metrics-summary.tsx'
import { Logo } from '../parts/logo.tsx'
import { Keys } from './keys.tsx'
import { mergeModeWords } from './merge-mode.model.ts'
import { Popover } from './popover.tsx'

interface TopBarProps {
  readonly live: Live
  readonly connection: Connection
  readonly snapshot: Snapshot
  /** The reader wants to be notified. */
  readonly notify: boolean
  readonly onNotify: (on: boolean) => void
}

const CONNECTION_WORDS: Record<Connection, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
}

// Events come many times a second, and none of them changes what stands here.
export const TopBar = memo(function TopBar(props: TopBarProps) {
  const { live, connection, snapshot, notify, onNotify } = props
  const { workspace } = snapshot
  const mode = mergeModeWords(workspace.config.merge.approval)
  return (
    <header className="top">
      <h1 className="brand">
        <Logo /> <span className="unseen">Treadle</span>
      </h1>
      <p className="where" title={workspace.root}>
        <strong dir="auto">{folderOf(workspace.root)}</strong>
        <code dir="auto">{workspace.target}</code>
      </p>
      <p className="mode" title={mode}>
        {mode}
      </p>
      <CrewMenu snapshot={snapshot} />
      <SpendMenu live={live} snapshot={snapshot} />
      <p className="connection" role="status" data-connection={connection}>
        <span className="dot" aria-hidden="true" />
        {CONNECTION_WORDS[connection]}
      </p>
      <Keys snapshot={snapshot} notify={notify} onNotify={onNotify} />
    </header>
  )
})

type MenuProps = Pick<TopBarProps, 'live' | 'snapshot'>

function CrewMenu({ snapshot: { agents } }: Pick<MenuProps, 'snapshot'>) {
  if (agents.length === 0) return <p className="muted crew-count">No agents</p>
  const counts = countCrew(agents)
  return (
    <Popover className="crew-menu" summary={<CrewWords counts={counts} />}>
      <CrewControls counts={counts} />
      <p className="muted">An agent pauses at its next checkpoint.</p>
    </Popover>
  )
}

/** On a phone, counts of nobody are left out. */
function CrewWords({ counts }: { counts: CrewCounts }) {
  return (
    <span>
      {countParts(counts).map(({ words, isNobody }) => (
        <span key={words} data-nobody={isNobody || undefined}>
          {words}
        </span>
      ))}
    </span>
  )
}

function SpendMenu({ live, snapshot: { costs, items } }: MenuProps) {
  return (
    <Popover
      className="spend"
      summary={
        <>
          <span className="unseen">Spend: </span>
          <CostMeter meter={meterOf(costs.daily)} />
          <CostMeter meter={meterOf(costs.monthly)} />
        </>
      }
    >
      <MetricsSummary live={live} items={items} />
      <SpendToday costs={costs} items={items} />
    </Popover>
  )
}

/** The last folder of a path: what a repository is called. */
export function folderOf(root: string): string {
  return root.split(/[\\/]/).findLast((part) => part !== '') ?? root
}
