// What has to be known before an order is weighed.
import type { Item, ItemState } from '@treadle/contracts/item'
import type { Order, PurgedItem } from '@treadle/contracts/order'
import { isHeld, STATES } from '@treadle/flow/flow'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { AgentOrderFacts, OrderFacts } from '@treadle/flow/supervise/orders/impact'
import { isRunning } from '@treadle/process/table'
import type { World } from '../world.ts'
import { findPurge, stillPurged } from './purge.ts'

const HELD_STATES: readonly ItemState[] = (Object.keys(STATES) as ItemState[]).filter(isHeld)
const HELD_MAX = 1_000
const CREW_WIDE: ReadonlySet<Order['is']> = new Set([
  'emergency_stop',
  'stop_all',
  'pause_all',
  'resume_all',
  'rollback',
])
/** What one purge takes at most; what is left over is there for the next. */
const QUEUE_MAX = 10_000

export async function factsFor(world: World, order: Order): Promise<OrderFacts> {
  const { store, now, config } = world
  const purge = order.is === 'undo_purge' ? await findPurge(world, order.purge) : null
  return {
    now: now().getTime(),
    claimMs: config().limits.claimMs,
    agents: (await store.agents.list()).flatMap((row) => {
      if (!world.crew.isElsewhere(row)) return [agentFacts(row, isAlive(row))]
      // Orders to the whole crew are to the crew of this workspace.
      return CREW_WIDE.has(order.is) ? [] : [agentFacts(row, world.crew.healthOf(row) !== 'unresponsive')]
    }),
    held: await heldFor(world, order),
    queued: order.is === 'purge' ? await queued(world) : [],
    item: order.is === 'reassign' ? await store.items.find(order.item) : null,
    purged: purge === null ? [] : await stillPurged(world, purge),
  }
}

async function heldFor(world: World, order: Order): Promise<Item[]> {
  if (order.is === 'recover') return allHeld(world)
  return order.is === 'emergency_stop' || order.is === 'stop_all' ? heldHere(world) : []
}

function allHeld({ store }: World): Promise<Item[]> {
  return store.items.inStates(HELD_STATES, HELD_MAX)
}

/** But for what agents of another daemon hold. */
export async function heldHere(world: World): Promise<Item[]> {
  const rows = await world.store.agents.list()
  const elsewhere = new Set(rows.filter((row) => world.crew.isElsewhere(row)).map(({ id }) => id))
  return (await allHeld(world)).filter(
    ({ claimedByAgentId }) => claimedByAgentId === null || !elsewhere.has(claimedByAgentId),
  )
}

function agentFacts({ id, status, wanted, item }: AgentRow, alive: boolean): AgentOrderFacts {
  return { id, status, wanted, item, alive }
}

function isAlive(row: AgentRow): boolean {
  const { pid, pidStarted: started } = row
  return pid !== null && started !== null && isRunning({ pid, started })
}

async function queued({ store }: World): Promise<PurgedItem[]> {
  return (await store.items.queue(QUEUE_MAX)).flatMap(({ projectNumber, number, state, reason }) =>
    state === 'todo' || state === 'backlog' || state === 'rework'
      ? [{ projectNumber, number, state, reason }]
      : [],
  )
}
