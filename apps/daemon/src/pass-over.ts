// Whoever an item was taken from by an order is not offered it again, as long as others are there to take it.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Store } from '@treadle/flow/ports/store'
import { hasOthers } from '@treadle/flow/supervise/orders/impact'

/** Only what came after the order lies behind it, and that is little. */
const EVENTS_MAX = 20

export async function passesOver(
  { events, agents }: Pick<Store, 'events' | 'agents'>,
  item: Item,
  id: AgentId,
): Promise<boolean> {
  // Nobody has ever had it.
  if (item.runId === null) return false
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const last = (await events.ofItem(ref, EVENTS_MAX)).findLast(
    ({ event }) => event.type === 'item.assigned' || event.type === 'claim.taken',
  )
  if (last?.event.type !== 'item.assigned' || last.agentId !== id || last.event.to === id) return false
  return hasOthers(await agents.list(), id)
}
