// How much an agent has to do. Pure.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'

type Held = Pick<Item, 'claimedByAgentId' | 'assignedAgentId'>

/** The items that it has in hand, and those that are kept for it. */
export function loadOf(id: AgentId, items: readonly Held[]): number {
  return items.filter((item) => (item.claimedByAgentId ?? item.assignedAgentId) === id).length
}
