import type { costRoutes, NewCost } from '@treadle/contracts/routes/costs'
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
    const logged = await runLog(world, id ?? world.uuid(), await priced(world, cost))
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
    const settled = await runSettle(world, {
      ...body,
      cost: cost === null ? null : await priced(world, cost),
    })
    if (settled.settled || settled.next?.is === 'refused') lookSoon(world)
    return settled
  },
} satisfies HandlersOf<typeof costRoutes>

/** Whoever did not say what a call has cost has it worked out. */
async function priced(world: World, cost: Omit<NewCost, 'id'>): Promise<PricedCost> {
  if (cost.costUSD !== null) return { ...cost, costUSD: cost.costUSD }
  const { model, tokens } = cost
  const call = { model, inputTokens: tokens.input, outputTokens: tokens.output }
  // A megabyte of prices, and most calls say what they have cost.
  const { openPrices } = await import('@treadle/engines/prices')
  const { engines, limits } = world.config()
  const { usd, warning, assumed } = openPrices(engines.prices, limits.assumedCallUSD)(call)
  if (warning !== null) world.log.warn(warning)
  return { ...cost, costUSD: usd, assumed: assumed ?? cost.assumed }
}

/** Not waited for: the agent that asks may be among those that are stopped. */
function lookSoon(world: World): void {
  void world.budget.look(world)
}
