// Watches the budgets: knows what they hold up, stops everyone when one is used up, and lets them go on when it is not.
import type { BudgetHold } from '@treadle/contracts/cost'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { PastItem } from '@treadle/flow/ports/ledger'
import { chooseAffordable } from '@treadle/flow/supervise/spend/estimate'
import {
  noticeDear,
  recordCrossings,
  remainingUSD,
  runBudgets,
  sweepReservations,
} from '@treadle/flow/supervise/spend/spend.run'
import { emergencyStop } from '../orders/emergency-stop.ts'
import type { World } from '../world.ts'

/** Who gives the order to stop when a budget is used up. */
const BUDGET = 'system:budget'
/** How long a sweep leaves the books alone where nothing moves; other daemons on the same database may have spent. */
const QUIET_MS = 30_000
/** Items that the estimate is made from. */
const PAST_MAX = 20

interface BudgetSnapshot {
  readonly hold: BudgetHold
  readonly remainingUSD: number
  readonly past: readonly PastItem[]
}

export class BudgetGuard {
  #seen: BudgetSnapshot = { hold: { is: 'none' }, remainingUSD: Number.POSITIVE_INFINITY, past: [] }
  /** At the last look; nothing becomes dear while nothing is spent. */
  #spent = ''
  /** Money is set aside, and whoever it is for may die over it. */
  #open = true
  #settings = ''
  #lookedAt = 0
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

  /** As part of the sweep: only where something can have changed that no cost has told of. */
  async sweep(world: World): Promise<void> {
    const { agents, limits } = world.config()
    const day = world.now().toISOString().slice(0, 10)
    const settings = [day, agents.dailyBudgetUSD, agents.monthlyBudgetUSD, limits.assumedCallUSD].join()
    const quiet = this.#seen.hold.is === 'none' && !this.#open && settings === this.#settings
    if (quiet && world.clock.elapsedMs() - this.#lookedAt < QUIET_MS) return
    this.#settings = settings
    await this.look(world)
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
    const { hold, reserved } = budgets
    this.#open = reserved > 0
    this.#lookedAt = world.clock.elapsedMs()
    const spent = budgets.budgets.map((budget) => budget.spent).join()
    if (spent !== this.#spent) await noticeDear(world)
    this.#spent = spent
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
  const rows = await store.agents.list()
  const crew = rows.filter((row) => !world.crew.isElsewhere(row))
  if (crew.every(({ pid }) => pid === null)) return
  const running = crew.flatMap(({ id, wanted }): AgentId[] => (wanted === 'running' ? [id] : []))
  const stop = await store.ledger.stop()
  const before = stop?.agents ?? []
  // Each daemon on the database adds its own.
  const agents = [...before, ...running.filter((id) => !before.includes(id))]
  if (stop === null || agents.length > before.length)
    await store.ledger.beginStop({ agents, at: stop?.at ?? now() })
  world.log.warn({ why }, 'all agents are stopped')
  await emergencyStop(world, { by: BUDGET, why })
}

/** Whoever was stopped for want of money and was given no other order since is started again. */
async function letGoOn(world: World): Promise<void> {
  const { store, now } = world
  const stop = await store.ledger.stop()
  if (stop === null) return
  const stopped = (await store.agents.list()).filter(({ wanted }) => wanted === 'stopped')
  const isFree = await withoutOrders(world, stop.at)
  const again = stopped.filter(({ id }) => stop.agents.includes(id) && isFree(id))
  await store.ledger.endStop(now())
  world.log.info({ agents: again.map(({ id }) => id) }, 'there is money again')
  for (const row of again) {
    // Its own daemon starts it, as soon as it is wanted.
    if (world.crew.isElsewhere(row)) await store.agents.patch(row.id, { wanted: 'running' })
    else await world.crew.order(row.id, 'start')
  }
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
