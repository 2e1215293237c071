// Whoever an item was taken from by an order is not offered it again, as long as others are there to take it.
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'

/** Of what happened to the item, oldest first: true if the last order took it from this agent and nobody has claimed it since. */
export function wasTakenFrom(
  id: AgentId,
  events: readonly Pick<StoredEvent, 'agentId' | 'event'>[],
): boolean {
  const last = events.findLast(({ event }) => event.type === 'item.assigned' || event.type === 'claim.taken')
  return last?.event.type === 'item.assigned' && last.agentId === id && last.event.to !== id
}
