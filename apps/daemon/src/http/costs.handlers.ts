import type { costRoutes, NewCost } from '@treadle/contracts/routes/costs'
import { openPrices } from '@treadle/engines/prices'
import {
  type PricedCost,
  runAdvice,
  runLog,
  runReserve,
  runSeries,
  runSettle,
  runTotals,
} from '@treadle/flow/supervise/spend/spend.run'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'

export const costHandlers = {
  async logCost(world, { body }) {
    const { id, ...cost } = body
    const logged = await runLog(world, id ?? world.uuid(), priced(world, cost))
    if (logged.is !== 'duplicate') await world.budget.look(world)
    return logged
  },

  costTotals(world, { query }) {
    return runTotals(world, query.period)
  },

  costSeries(world, { query }) {
    return runSeries(world, query.days)
  },

  budgetAdvice(world) {
    return runAdvice(world)
  },

  async reserveCost(world, { body }) {
    const granting = await runReserve(world, body)
    if (granting.is === 'refused') lookSoon(world)
    return granting
  },

  async settleCost(world, { body }) {
    const { cost } = body
    const settled = await runSettle(world, { ...body, cost: cost === null ? null : priced(world, cost) })
    if (settled.settled || settled.next?.is === 'refused') lookSoon(world)
    return settled
  },
} satisfies HandlersOf<typeof costRoutes>

/** Whoever did not say what a call has cost has it worked out. */
function priced(world: World, cost: Omit<NewCost, 'id'>): PricedCost {
  if (cost.costUSD !== null) return { ...cost, costUSD: cost.costUSD }
  const { model, tokens } = cost
  const call = { model, inputTokens: tokens.input, outputTokens: tokens.output }
  const { usd, warning } = openPrices(world.config().engines.prices)(call)
  if (warning !== null) world.log.warn(warning)
  return { ...cost, costUSD: usd }
}

/** Not waited for: the agent that asks may be among those that are stopped. */
function lookSoon(world: World): void {
  void world.budget.look(world)
}
