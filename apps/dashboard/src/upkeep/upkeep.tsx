// What keeps the house in order: orders to the whole crew and the queue, what was left behind, who ordered what.
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Audit } from './audit.tsx'
import { Kept } from './kept.tsx'
import { Orders } from './orders.tsx'
import { Orphans } from './orphans.tsx'
import { Preferences } from './preferences.tsx'
import { Settings } from './settings.tsx'

interface UpkeepProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly now: number
}

export function Upkeep({ live, snapshot, now }: UpkeepProps) {
  return (
    <div className="left">
      <Orders live={live} snapshot={snapshot} />
      <Orphans live={live} last={snapshot.at} />
      <Kept live={live} now={now} />
      <Audit live={live} last={snapshot.at} />
      <Preferences live={live} last={snapshot.at} now={now} />
      <Settings workspace={snapshot.workspace} />
    </div>
  )
}
