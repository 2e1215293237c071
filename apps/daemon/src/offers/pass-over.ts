// Looks up what flow/claim/pass-over.ts decides by: who is not offered an item again.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { wasGivenBack, wasTakenFrom } from '@treadle/flow/claim/pass-over'
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
  if (!wasTakenFrom(id, await events.ofItem(ref, EVENTS_MAX))) return false
  return hasOthers(await agents.list(), id)
}

/** True: whoever was last here could not be served by its engine, so others come first for a while. */
export async function comesLater(
  { events }: Pick<Store, 'events'>,
  item: Item,
  now: number,
): Promise<boolean> {
  if (item.runId === null) return false
  const ref = { projectNumber: item.projectNumber, number: item.number }
  return wasGivenBack(
    await events.ofItem(ref, 1, ['claim.released', 'claim.taken', 'item.assigned', 'item.reopened']),
    now,
  )
}
