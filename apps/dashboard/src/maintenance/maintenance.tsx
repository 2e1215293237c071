// The screens behind the gear: orders to the whole crew and the queue and what was left behind, settings, the audit log.
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { AuditLog } from './audit-log.tsx'
import { CrewOrders } from './crew-orders.tsx'
import { KeptWorkList } from './kept-work.tsx'
import { Orphans } from './orphans.tsx'
import { Preferences } from './preferences.tsx'
import { Settings } from './settings.tsx'
import './maintenance.css'

interface MaintenanceProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly now: number
}

export function Maintenance({ live, snapshot, now }: MaintenanceProps) {
  return (
    <div className="left">
      <CrewOrders live={live} snapshot={snapshot} />
      <Orphans live={live} last={snapshot.at} />
      <KeptWorkList live={live} now={now} />
    </div>
  )
}

export function SettingsScreen({ live, snapshot, now }: MaintenanceProps) {
  return (
    <div className="left">
      <Settings live={live} workspace={snapshot.workspace} />
      <Preferences live={live} last={snapshot.at} now={now} />
    </div>
  )
}

export function AuditScreen({ live, snapshot }: Omit<MaintenanceProps, 'now'>) {
  return <AuditLog live={live} last={snapshot.at} />
}
