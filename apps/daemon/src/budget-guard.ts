// Watches the budgets: knows what they hold up, stops everyone when one is used up, and lets them go on when it is not.
import type { BudgetHold } from '@treadle/contracts/cost'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { chooseAffordable, type PastItem } from '@treadle/flow/spend/estimate'
import { recordCrossings, remainingUSD, runBudgets, sweepReservations } from '@treadle/flow/spend/run'
import { emergencyStop } from './orders/emergency-stop.ts'
import type { World } from './world.ts'

/** Who gives the order to stop when a budget is used up. */
const BUDGET = 'system:budget'
/** Items that the estimate is made from. */
const PAST_MAX = 20

interface Seen {
  readonly hold: BudgetHold
  readonly remainingUSD: number
  readonly past: readonly PastItem[]
}

export class BudgetGuard {
  #seen: Seen = { hold: { is: 'none' }, remainingUSD: Number.POSITIVE_INFINITY, past: [] }
  #running: Promise<void> = Promise.resolve()
  #queued: Promise<void> | null = null

  /** As of the last look; every cost that this daemon takes in is followed by one. */
  hold(): BudgetHold {
    return this.#seen.hold
  }

  /** Null: whatever waits is covered by what is left. */
  affordable(): ((item: Item) => boolean) | null {
    const { past, remainingUSD: left } = this.#seen
    const dearest = Math.max(0, ...past.map(({ costUSD }) => costUSD))
    // An estimate is at most three times the average, which is at most the dearest.
    if (dearest * 3 <= left) return null
    return (item) => chooseAffordable({ queue: [item], past, remainingUSD: left }).is === 'item'
  }

  remainingUSD(): number {
    return this.#seen.remainingUSD
  }

  /** Looks and acts. The promise is of a look that began after the call. */
  look(world: World): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null
      this.#running = this.#look(world).catch((error: unknown) =>
        world.log.error({ err: error }, 'the budgets could not be looked at'),
      )
      return this.#running
    })
    return this.#queued
  }

  async #look(world: World): Promise<void> {
    const { store } = world
    await sweepReservations(world)
    // The limits may have changed since the last cost.
    await store.tx(async () => {
      await store.ledger.lock()
      await recordCrossings(world)
    })
    const budgets = await runBudgets(world)
    const { hold } = budgets
    this.#seen = {
      hold,
      remainingUSD: remainingUSD(budgets),
      past: await store.ledger.delivered(PAST_MAX),
    }
    if (hold.is === 'all') await stopEveryone(world, hold.why)
    else await letGoOn(world)
  }
}

/** Who was to run is written down first, so that whoever comes after a crash in between knows it too. */
async function stopEveryone(world: World, why: string): Promise<void> {
  const { store, now } = world
  const crew = (await store.agents.list()).filter(({ id }) => agentNumber(id) !== null)
  if (crew.every(({ pid }) => pid === null)) return
  const running = crew.flatMap(({ id, wanted }): AgentId[] => (wanted === 'running' ? [id] : []))
  if ((await store.ledger.stop()) === null) await store.ledger.beginStop({ agents: running, at: now() })
  world.log.warn({ why }, 'all agents are stopped')
  await emergencyStop(world, { by: BUDGET, why })
}

/** Whoever was stopped for want of money and was given no other order since is started again. */
async function letGoOn(world: World): Promise<void> {
  const { store, now } = world
  const stop = await store.ledger.stop()
  if (stop === null) return
  const stopped = (await store.agents.list()).filter(({ wanted }) => wanted === 'stopped').map(({ id }) => id)
  const isFree = await withoutOrders(world, stop.at)
  const again = stop.agents.filter((id) => stopped.includes(id) && isFree(id))
  await store.ledger.endStop(now())
  world.log.info({ agents: again }, 'there is money again')
  for (const id of again) await world.crew.order(id, 'start')
}

/** Orders of a person about the whole crew, after which nothing of before counts. */
const ABOUT_ALL: ReadonlySet<string> = new Set(['emergency_stop', 'stop_all', 'start_agents', 'rollback'])
const ORDERS_MAX = 100

async function withoutOrders({ store }: World, since: Date): Promise<(id: AgentId) => boolean> {
  const newest = await store.events.newest({ type: 'order.given', limit: ORDERS_MAX })
  const given = newest.flatMap(({ at, agentId, event }) =>
    event.type === 'order.given' && event.by !== BUDGET && Date.parse(at) >= since.getTime()
      ? [{ agentId, isAboutAll: ABOUT_ALL.has(event.order) }]
      : [],
  )
  return (id) => !given.some(({ agentId, isAboutAll }) => isAboutAll || agentId === id)
}
