// Looks up what flow/claim/pass-over.ts and conversation-holder.ts decide by: who is not offered an item again, and who
// goes first.
import type { AgentStatus } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { conversationHolder, HOLDER_EVENTS, isKept } from '@treadle/flow/claim/conversation-holder'
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

/** Who has the conversation of the item and may go on with it before others; null: nobody, or not any more. */
export async function keptFor(
  { events, agents }: Pick<Store, 'events' | 'agents'>,
  item: Item,
  { now, engine }: { readonly now: number; readonly engine: string },
): Promise<AgentId | null> {
  if (item.runId === null) return null
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const holder = conversationHolder(await events.ofItem(ref, EVENTS_MAX, HOLDER_EVENTS))
  // Looked at first, so that nobody is asked about an item that waits for long.
  if (holder === null || !isKept({ holder, engine, isThere: true, now })) return null
  const agent = (await agents.list()).find(({ id }) => id === holder.agentId)
  const isThere = agent?.wanted === 'running' && !GONE.includes(agent.status)
  return isKept({ holder, engine, isThere, now }) ? holder.agentId : null
}

const GONE: readonly AgentStatus[] = ['stopped', 'crashed', 'failed']
