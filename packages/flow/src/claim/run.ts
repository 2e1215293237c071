// Two agents, one item: the conditional update decides, the machine moves, the run begins; one transaction.
import type { AgentId, EventId, ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemStatus } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { type AdvanceWorld, advance } from '../advance.ts'
import { Fault } from '../fault.ts'

export interface ClaimWorld extends AdvanceWorld {
  readonly uuid: () => string
}
export interface ClaimOrder {
  readonly item: ItemRef
  readonly agentId: AgentId
  readonly requestId: EventId | null
}
export type Claimed =
  | { readonly is: 'claimed'; readonly item: Item; readonly run: Run; readonly fence: number }
  | { readonly is: 'held'; readonly by: AgentId | null; readonly status: ItemStatus }
  | { readonly is: 'missing' }

export function runClaim(world: ClaimWorld, order: ClaimOrder): Promise<Claimed> {
  const { store } = world
  return store.tx(async (): Promise<Claimed> => {
    const runId = world.uuid()
    const at = world.now()
    const taken = await store.claims.take({
      ref: order.item,
      agentId: order.agentId,
      requestId: order.requestId,
      runId,
      at,
    })
    if (taken.is === 'missing' || taken.is === 'held') return taken
    if (taken.is === 'repeated') return repeat(world, order.item, taken)
    const run = await store.runs.add({
      id: runId,
      item: order.item,
      agentId: order.agentId,
      fence: taken.fence,
      at,
    })
    const moved = await advance(world, {
      item: order.item,
      eventId: `claim:${runId}`,
      fence: null,
      agentId: order.agentId,
      move: { type: 'claim.taken', agentId: order.agentId, runId },
    })
    if (moved.is !== 'advanced')
      throw new Fault('claim', `claim of #${order.item.number} did not move it (${moved.is})`)
    return { is: 'claimed', item: moved.item, run, fence: taken.fence }
  })
}

/** The same request again is answered as the first time: its answer may have been lost on the way. */
async function repeat(
  world: ClaimWorld,
  ref: ItemRef,
  taken: { fence: number; runId: string },
): Promise<Claimed> {
  const [item, run] = [await world.store.items.find(ref), await world.store.runs.find(taken.runId)]
  if (item === null || run === null) throw new Fault('claim', `claim ${taken.runId} has lost its item or run`)
  return { is: 'claimed', item, run, fence: taken.fence }
}
