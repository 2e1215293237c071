// The ledger at work: reserve before a call, settle after it, and tell once when a budget crosses a threshold.

import type { Config } from '@treadle/contracts/config'
import {
  type BudgetAdvice,
  type BudgetHold,
  type CostEntry,
  type CostId,
  type CostSeries,
  type CostTotals,
  fromMicros,
  type Period,
  type Reservation,
  THOUGHT_PROJECT,
  toMicros,
} from '@treadle/contracts/cost'
import type { Granting, NewCost } from '@treadle/contracts/routes/costs'
import { usd } from '@treadle/contracts/words/money'
import type { Logged } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import { adviseLimit, DAYS, dearWords } from './advice.ts'
import { type Budget, budgetState, judgeHold, reached, THRESHOLDS, type Threshold, worse } from './budget.ts'
import { isHolderGone } from './holder.ts'
import { spanOf } from './period.ts'
import { decideReserve, shareOf } from './reserve.ts'

export interface SpendWorld {
  readonly store: Pick<Store, 'tx' | 'ledger' | 'events' | 'agents' | 'items' | 'thoughts' | 'ideations'>
  readonly now: () => Date
  readonly config: () => Config
}
type BudgetsWorld = Pick<SpendWorld, 'now' | 'config'> & { readonly store: Pick<Store, 'ledger'> }
/** What it has cost is known, or was worked out by whoever knows the prices. */
export type PricedCost = Omit<NewCost, 'id' | 'costUSD'> & { readonly costUSD: number }
type Ask = Omit<Reservation, 'timestamp'>

const PERIODS: readonly Period[] = ['daily', 'monthly']
const MINUTE_MS = 60_000

export interface Budgets {
  readonly budgets: readonly Budget[]
  /** Millionths of a dollar that are set aside. */
  readonly reserved: number
  readonly hold: BudgetHold
}

/** How both budgets stand now. */
export async function runBudgets(world: BudgetsWorld): Promise<Budgets> {
  // In this order: what is settled in between is then seen twice rather than not at all.
  const open = await world.store.ledger.open()
  const budgets: Budget[] = []
  for (const period of PERIODS) budgets.push(await budgetOf(world, period))
  return { budgets, reserved: sum(open), hold: judgeHold(budgets, callOf(world)) }
}

async function budgetOf(world: BudgetsWorld, period: Period): Promise<Budget> {
  const { ledger } = world.store
  const { agents } = world.config()
  const span = spanOf(period, world.now())
  const limit = toMicros(period === 'daily' ? agents.dailyBudgetUSD : agents.monthlyBudgetUSD)
  const refused = await ledger.hasCrossed({
    period,
    startsAt: span.startsAt,
    limitUSD: fromMicros(limit),
    percent: 100,
  })
  return { period, ...span, limit, refused, spent: toMicros(await ledger.spentSince(span.startsAt)) }
}

/** All of one moment: nothing is between set aside and spent. */
export function runTotals(world: SpendWorld, period: Period): Promise<CostTotals> {
  return world.store.tx(async () => {
    await world.store.ledger.lock()
    return totalsOf(world, period)
  })
}

async function totalsOf(world: SpendWorld, period: Period): Promise<CostTotals> {
  const { budgets, reserved, hold } = await runBudgets(world)
  const states = budgets.map((budget) => budgetState(budget, reserved))
  const state = states.find((each) => each.period === period)
  if (state === undefined) throw new Error(`there is no ${period} budget`)
  const sums = await world.store.ledger.sumsSince(new Date(state.startsAt))
  return {
    ...state,
    budgetHealth: worse(states.map(({ health }) => health)),
    hold,
    assumedUSD: sums.assumedUSD,
    calls: sums.calls,
    tokens: sums.tokens,
    agents: [...sums.agents],
    items: [...sums.items],
  }
}

export interface LoggedCost {
  readonly is: Logged
  readonly entry: CostEntry
}

/** Records what a call has cost, once. */
export function runLog(world: SpendWorld, id: CostId, cost: PricedCost): Promise<LoggedCost> {
  return world.store.tx(async () => {
    await world.store.ledger.lock()
    return logCost(world, id, cost)
  })
}

async function logCost(world: SpendWorld, id: CostId, cost: PricedCost): Promise<LoggedCost> {
  const now = world.now()
  // A clock that is ahead must not book into a day that has not begun.
  const at = new Date(Math.min(Date.parse(cost.timestamp), now.getTime()))
  const costUSD = fromMicros(toMicros(cost.costUSD))
  const entry: CostEntry = { ...cost, id, costUSD, timestamp: at.toISOString() }
  const is = await world.store.ledger.log(entry)
  if (is === 'duplicate') return { is, entry: (await world.store.ledger.find(id)) ?? entry }
  await world.store.events.append({
    id: is === 'replaced' ? `cost:${id}:real` : `cost:${id}`,
    at: now,
    item: entry.itemNumber === null ? null : { projectNumber: entry.projectNumber, number: entry.itemNumber },
    agentId: entry.agentId,
    runId: entry.runId,
    state: null,
    event: { type: 'cost.logged', model: entry.model, tokens: entry.tokens, costUSD, assumed: entry.assumed },
  })
  await recordCrossings(world)
  return { is, entry }
}

/** Each threshold is told once for a period and a limit, however often it is looked at. */
export async function recordCrossings(world: SpendWorld): Promise<void> {
  for (const period of PERIODS) {
    const budget = await budgetOf(world, period)
    for (const threshold of reached(budget)) await cross(world, budget, threshold)
  }
}

async function cross(
  world: SpendWorld,
  budget: Budget,
  { percent, level }: Threshold,
  nextUSD?: number,
): Promise<void> {
  const { period, startsAt } = budget
  const [spentUSD, limitUSD] = [fromMicros(budget.spent), fromMicros(budget.limit)]
  const at = world.now()
  if (!(await world.store.ledger.cross({ period, startsAt, limitUSD, percent }, spentUSD, at))) return
  await world.store.events.append({
    id: `budget:${period}:${startsAt.toISOString().slice(0, 10)}:${budget.limit}:${percent}`,
    at,
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: {
      type: 'budget.crossed',
      period,
      percent,
      level,
      spentUSD,
      limitUSD,
      ...(nextUSD === undefined ? {} : { nextUSD }),
    },
  })
}

export function runReserve(world: SpendWorld, ask: Ask): Promise<Granting> {
  return world.store.tx(async () => {
    await world.store.ledger.lock()
    return reserve(world, ask)
  })
}

async function reserve(world: SpendWorld, ask: Ask): Promise<Granting> {
  const { ledger } = world.store
  const now = world.now()
  if (!(await isClaimed(world, ask)))
    return { is: 'refused', why: 'the claim of this run has ended', shareUSD: 0 }
  const left = (await ledger.open()).filter(({ agentId }) => agentId === ask.agentId)
  const repeated = left.some(({ id }) => id === ask.id)
  // An agent makes one call at a time: what is open beside this one was left by a process that died over it.
  for (const before of left) if (before.id !== ask.id) await assume(world, before)
  const dear = await whyTooDear(world, ask)
  if (dear !== null) return { is: 'refused', why: dear, isItemSpent: true, shareUSD: 0 }
  const noLook = await whyNoLook(world, ask)
  if (noLook !== null) return { is: 'refused', why: noLook, shareUSD: 0 }
  const budgets = [await budgetOf(world, 'daily'), await budgetOf(world, 'monthly')]
  const open = sum((await ledger.open()).filter(({ id }) => id !== ask.id))
  const { limits } = world.config()
  const choice = decideReserve({
    budgets,
    open,
    own: toMicros(ask.costUSD),
    call: callOf(world),
    callsLastMinute: await ledger.callsSince(new Date(now.getTime() - MINUTE_MS)),
    callsPerMinute: limits.callsPerMinute,
  })
  const agents = (await world.store.agents.list()).filter(({ wanted }) => wanted === 'running').length
  const share = (own: number) => fromMicros(shareOf({ budgets, open: open + own }, agents))
  if (repeated) return { is: 'granted', why: null, shareUSD: share(toMicros(ask.costUSD)) }
  if (choice.is === 'granted') {
    const made = await ledger.reserve({ ...ask, timestamp: now.toISOString() })
    return made
      ? { is: 'granted', why: null, shareUSD: share(toMicros(ask.costUSD)) }
      : { is: 'refused', why: 'this reservation has ended', shareUSD: 0 }
  }
  const full = THRESHOLDS.at(-1)
  if (choice.is === 'refused' && full !== undefined)
    await cross(world, choice.budget, full, fromMicros(callOf(world)))
  return { is: choice.is, why: choice.why, shareUSD: share(0) }
}

/** What one item may cost is spent; whoever judges reads what was paid for already. Null: it is not. */
async function whyTooDear(world: SpendWorld, { item, thoughtId }: Ask): Promise<string | null> {
  // A thought is one answer, and bounded by its turn.
  if (item === null || thoughtId != null) return null
  const spentUSD = (await world.store.ledger.spentOn(item)) ?? 0
  const { itemCostUSD } = world.config().limits
  if (spentUSD < itemCostUSD) return null
  return `#${item.number} has cost ${usd(spentUSD)} of the ${usd(itemCostUSD)} that one item may cost (limits.itemCostUSD)`
}

/** What looking for improvements may cost in a day would not cover this call as well. Null: it would, or it is for something else. */
async function whyNoLook(world: SpendWorld, { id, thoughtId, costUSD }: Ask): Promise<string | null> {
  const { store, now, config } = world
  if (!(await isLook(world, thoughtId))) return null
  const { spentTodayUSD } = await store.ideations.totals(now())
  let asideUSD = 0
  for (const other of await store.ledger.open())
    if (other.id !== id && (await isLook(world, other.thoughtId))) asideUSD += other.costUSD
  const { ideationBudgetUSD: limitUSD } = config().agents
  if (toMicros(spentTodayUSD + asideUSD + costUSD) <= toMicros(limitUSD)) return null
  return `looking for improvements has cost ${usd(spentTodayUSD)} today, and the ${usd(limitUSD)} of agents.ideationBudgetUSD do not cover a call of ${usd(costUSD)} as well`
}

async function isLook({ store }: SpendWorld, thoughtId: Ask['thoughtId']): Promise<boolean> {
  const thought = thoughtId == null ? null : await store.thoughts.find(thoughtId)
  return thought?.kind === 'category_idea'
}

async function isClaimed(
  world: SpendWorld,
  { item, thoughtId, fence, agentId }: Pick<Ask, 'item' | 'thoughtId' | 'fence' | 'agentId'>,
): Promise<boolean> {
  // Whoever judges a delivery holds the thought, and never the item.
  if (thoughtId != null) {
    const thought = await world.store.thoughts.find(thoughtId)
    return thought?.status === 'claimed' && thought.agentId === agentId && thought.fence === fence
  }
  if (item === null) return false
  const found = await world.store.items.find(item)
  return found !== null && found.fence === fence && found.claimedByAgentId !== null
}

export interface Settle {
  readonly id: CostId
  /** Null: no call was made. */
  readonly cost: PricedCost | null
  readonly next: Ask | null
}
export interface Settled {
  readonly settled: boolean
  readonly next: Granting | null
}

/** Ends a reservation and asks for the next in one step, so that nobody else comes in between. */
export function runSettle(world: SpendWorld, { id, cost, next }: Settle): Promise<Settled> {
  const { store } = world
  return store.tx(async () => {
    await store.ledger.lock()
    const closed = await store.ledger.close(id, cost === null ? 'released' : 'settled', world.now())
    const logged = cost === null ? null : await logCost(world, id, cost)
    const granting = next === null ? null : await reserve(world, next)
    return { settled: closed !== null || (logged !== null && logged.is !== 'duplicate'), next: granting }
  })
}

/** Nobody will say what this call has cost: the worst case stands until somebody does. */
async function assume(world: SpendWorld, left: Reservation): Promise<void> {
  if ((await world.store.ledger.close(left.id, 'assumed', world.now())) === null) return
  await logCost(world, left.id, {
    agentId: left.agentId,
    projectNumber: left.item?.projectNumber ?? THOUGHT_PROJECT,
    itemNumber: left.item?.number ?? null,
    runId: left.runId,
    thoughtId: left.thoughtId,
    model: left.model,
    tokens: { input: 0, output: 0 },
    costUSD: left.costUSD,
    assumed: true,
    timestamp: left.timestamp,
  })
}

/** Settles what dead holders have left, so that no money stays set aside for ever. */
export async function sweepReservations(world: SpendWorld): Promise<number> {
  const { store } = world
  let swept = 0
  for (const left of await store.ledger.open()) {
    const row = await store.agents.find(left.agentId)
    const gone = isHolderGone({
      claimed: await isClaimed(world, left),
      reservedAt: Date.parse(left.timestamp),
      process:
        row === null || row.startedAt === null
          ? null
          : { isThere: row.pid !== null, startedAt: Date.parse(row.startedAt) },
    })
    if (!gone) continue
    await store.tx(async () => {
      await store.ledger.lock()
      await assume(world, left)
    })
    swept += 1
  }
  return swept
}

/** What the remaining budgets still cover. */
export function remainingUSD({ budgets, reserved }: Pick<Budgets, 'budgets' | 'reserved'>): number {
  return fromMicros(Math.max(0, Math.min(...budgets.map(({ spent, limit }) => limit - spent - reserved))))
}

function callOf(world: Pick<SpendWorld, 'config'>): number {
  return toMicros(world.config().limits.assumedCallUSD)
}

function sum(reservations: readonly Pick<Reservation, 'costUSD'>[]): number {
  return reservations.reduce((total, { costUSD }) => total + toMicros(costUSD), 0)
}

const DAY_MS = 86_400_000

/** What each of the last days has cost, and what limit that suggests. */
export async function runAdvice(world: SpendWorld): Promise<BudgetAdvice> {
  const { startsAt: today } = spanOf('daily', world.now())
  const days: BudgetAdvice['days'] = []
  let later = toMicros(await world.store.ledger.spentSince(today))
  for (let back = 1; back <= DAYS; back += 1) {
    const start = new Date(today.getTime() - back * DAY_MS)
    const since = toMicros(await world.store.ledger.spentSince(start))
    days.push({ day: start.toISOString().slice(0, 10), costUSD: fromMicros(since - later) })
    later = since
  }
  return adviseLimit({ days, limitUSD: world.config().agents.dailyBudgetUSD })
}

/** Today is the last of them. */
export async function runSeries(world: SpendWorld, days: number): Promise<CostSeries> {
  const { startsAt: today } = spanOf('daily', world.now())
  const first = new Date(today.getTime() - (days - 1) * DAY_MS)
  return { days: await world.store.ledger.byDay(first, days) }
}

/** How far back the cost of an item is added up. */
const ITEM_DAYS = 31

/** Tells the owner of items that have cost more than the limit; each once, however often it is looked at. */
export async function noticeDear(world: SpendWorld): Promise<void> {
  const at = world.now()
  const { itemCostUSD } = world.config().limits
  const { items } = await world.store.ledger.sumsSince(new Date(at.getTime() - ITEM_DAYS * DAY_MS))
  for (const { projectNumber, itemNumber, costUSD } of items) {
    if (itemNumber === null || costUSD <= itemCostUSD) continue
    const item = { projectNumber, number: itemNumber }
    await world.store.events.append({
      id: `dear:${projectNumber}.${itemNumber}`,
      at,
      item,
      agentId: null,
      runId: null,
      state: null,
      event: {
        type: 'owner.notified',
        about: 'cost',
        text: dearWords({ ...item, costUSD }, itemCostUSD),
      },
    })
  }
}
