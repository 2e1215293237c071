import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import { weightOf } from '../live/live.model.ts'

export const SHOWN_MAX = 50

/** Newest first; the oldest go when there are too many. Of one agent every step is shown, of all only what matters. */
export function newestOf(events: readonly StoredEvent[], agentId: AgentId | null): StoredEvent[] {
  const fitting =
    agentId === null
      ? events.filter((event) => weightOf(event) === 'milestone')
      : events.filter((event) => event.agentId === agentId)
  return fitting.slice(0, SHOWN_MAX)
}
