// What calls cost, and the money that is set aside before they are made.
import { z } from 'zod'
import {
  BudgetAdvice,
  CallTokens,
  CostEntry,
  CostId,
  CostSeries,
  CostTotals,
  Dollars,
  Period,
  Reservation,
} from '../cost.ts'
import { Instant } from '../ids.ts'
import { route } from '../route.ts'

/** As POST /api/cost-tracking/log takes it: what is left out is worked out from the rest. */
export const NewCost = z.strictObject({
  id: CostId.optional(),
  agentId: CostEntry.shape.agentId,
  projectNumber: CostEntry.shape.projectNumber,
  itemNumber: CostEntry.shape.itemNumber.default(null),
  runId: CostEntry.shape.runId.default(null),
  thoughtId: CostEntry.shape.thoughtId,
  model: CostEntry.shape.model.default('unknown'),
  tokens: CallTokens,
  costUSD: Dollars.nullable()
    .default(null)
    .describe(
      'null: worked out from the model and the tokens; an unknown model is priced as the most expensive',
    ),
  assumed: z.boolean().default(false),
  timestamp: Instant,
})
export type NewCost = z.infer<typeof NewCost>

/** May a call be made? `wait`: later, when other calls have ended; `refused`: not before the budget changes. */
export const Granting = z.strictObject({
  is: z.enum(['granted', 'wait', 'refused']),
  why: z.string().nullable(),
  /** True: what this one item may cost is spent, and to wait does not help. */
  isItemSpent: z.boolean().optional(),
  /** What this agent may still spend by itself if the daemon goes away. */
  shareUSD: z.number(),
})
export type Granting = z.infer<typeof Granting>

const logged = z.strictObject({
  is: z.enum(['logged', 'replaced', 'duplicate']),
  entry: CostEntry,
})

const ask = Reservation.omit({ timestamp: true })

export const costRoutes = {
  logCost: route({
    method: 'POST',
    path: '/api/cost-tracking/log',
    key: 'crew',
    summary:
      'Record what a call has cost; the same id again changes nothing, unless it replaces an assumption',
    body: NewCost,
    response: logged,
    status: 201,
  }),
  costTotals: route({
    method: 'GET',
    path: '/api/cost-tracking/totals',
    key: 'crew',
    summary: 'What was spent in this day or month (UTC), by agent and by item, against the limit',
    query: z.strictObject({ period: Period.default('daily') }),
    response: CostTotals,
  }),
  costSeries: route({
    method: 'GET',
    path: '/api/cost-tracking/series',
    key: 'crew',
    summary: 'What was spent on each of the last days (UTC), by agent, without holes',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30) }),
    response: CostSeries,
  }),
  budgetAdvice: route({
    method: 'GET',
    path: '/api/cost-tracking/advice',
    key: 'crew',
    summary: 'How far the daily limit can come down, from what the last days have cost',
    response: BudgetAdvice,
  }),
  reserveCost: route({
    method: 'POST',
    path: '/api/cost-tracking/reserve',
    key: 'crew',
    summary: 'Set money aside before a call; without a grant no call is made',
    body: ask,
    response: Granting,
  }),
  settleCost: route({
    method: 'POST',
    path: '/api/cost-tracking/settle',
    key: 'crew',
    summary: 'End a reservation with what the call cost, or with nothing; and ask for the next one',
    body: z.strictObject({
      id: CostId,
      cost: NewCost.omit({ id: true }).nullable().describe('null: no call was made, the money is free again'),
      next: ask.nullable().default(null),
    }),
    response: z.strictObject({ settled: z.boolean(), next: Granting.nullable() }),
  }),
} as const
