// Whoever an item was taken from by an order is not offered it again, as long as others are there to take it. What went
// back because of its engine waits for a while behind others as urgent: an item that alone has the trouble must not hold up all.
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'

/** Of what happened to the item, oldest first: true if the last order took it from this agent and nobody has claimed it since. */
export function wasTakenFrom(
  id: AgentId,
  events: readonly Pick<StoredEvent, 'agentId' | 'event'>[],
): boolean {
  const last = events.findLast(({ event }) => event.type === 'item.assigned' || event.type === 'claim.taken')
  return last?.event.type === 'item.assigned' && last.agentId === id && last.event.to !== id
}

/** The time after its rest in which others go first. */
const LATER_MS = 5 * 60_000

/** Of what happened to the item, oldest first: true if it went back because its engine could not serve it, a short while ago. */
export function wasGivenBack(events: readonly Pick<StoredEvent, 'at' | 'event'>[], now: number): boolean {
  const last = events.at(-1)
  if (last?.event.type !== 'claim.released' || last.event.engine === undefined) return false
  const at = Date.parse(last.at)
  return now < Math.max(at, Date.parse(last.event.restsUntil ?? last.at)) + LATER_MS
}

/** Puts items that come later behind the others as urgent as they, or more so, but before the less urgent. */
export function inTurn<I extends Pick<Item, 'priority'>>(
  queue: readonly { readonly item: I; readonly isLater: boolean }[],
): { readonly first: I[]; readonly last: I[] } {
  const first: I[] = []
  let last: I[] = []
  for (const { item, isLater } of queue) {
    if (isLater) {
      last.push(item)
      continue
    }
    first.push(...last.filter((later) => isMoreUrgent(later, item)), item)
    last = last.filter((later) => !isMoreUrgent(later, item))
  }
  return { first, last }
}

function isMoreUrgent(one: Pick<Item, 'priority'>, other: Pick<Item, 'priority'>): boolean {
  return (one.priority ?? Number.POSITIVE_INFINITY) < (other.priority ?? Number.POSITIVE_INFINITY)
}
