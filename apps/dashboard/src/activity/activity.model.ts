// The events that the activity screen shows.
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import { rankOf } from '../live/live.model.ts'

export const SHOWN_MAX = 50

/** Events for the table, newest first and bounded. Of one agent every step is shown, of all only milestones. */
export function newestOf(events: readonly StoredEvent[], agentId: AgentId | null): StoredEvent[] {
  const fitting =
    agentId === null
      ? events.filter((event) => rankOf(event) === 'milestone')
      : events.filter((event) => event.agentId === agentId)
  return fitting.slice(0, SHOWN_MAX)
}
