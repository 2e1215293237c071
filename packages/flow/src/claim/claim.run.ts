// Two agents, one item: the machine moves what was looked at, and one conditional statement decides who has it.
import type { AgentId, EventId, ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemStatus } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import type { Run } from '@treadle/contracts/run'
import { Fault } from '../fault.ts'
import type { Advance, AdvanceClaim } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { runFileConflict } from './file-conflict.run.ts'

export interface ClaimWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'runs' | 'claims' | 'events' | 'fileLocks'>
  readonly advance: Advance
  readonly now: () => Date
  readonly advanceClaim: AdvanceClaim
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
  | { readonly is: 'blocked'; readonly by: readonly number[] }
  | { readonly is: 'owned'; readonly by: string }
  | { readonly is: 'locked'; readonly lock: FileLock }
  | { readonly is: 'missing' }

/** The item may come free, or be changed, between looking and taking. */
const TRIES = 5

export async function runClaim(world: ClaimWorld, order: ClaimOrder): Promise<Claimed> {
  const { agentId, requestId } = order
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await world.store.claims.look(order.item, { agentId, requestId })
    if (found.is === 'repeated') return repeat(world, order.item, found)
    if (found.is !== 'free') return found
    const step = await world.advanceClaim({ found, agentId, requestId, runId: world.uuid() })
    if (step.is === 'claimed') return step
    if (step.is === 'locked' && !(await runFileConflict(world, { ...step, agentId })))
      return { is: 'locked', lock: step.lock }
  }
  throw new Fault('claim', `#${order.item.number} changed ${TRIES} times while it was being claimed`)
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
