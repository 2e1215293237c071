// Whoever an item was taken from by an order is not offered it again, as long as others are there to take it. What went
// back because of its engine waits behind the rest of the queue: an item that alone has the trouble must not hold up all.
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

/** Of what happened to the item, oldest first: true if it went back because its engine could not serve it. */
export function wasGivenBack(events: readonly Pick<StoredEvent, 'event'>[]): boolean {
  const last = events.at(-1)?.event
  return last?.type === 'claim.released' && last.engine !== undefined
}
