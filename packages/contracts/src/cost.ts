// What model calls cost, what is set aside for calls under way, and how much of the budgets is left.
import { z } from 'zod'
import { AgentId, EventId, Instant, ItemRef, Positive, RunId } from './ids.ts'

/** Days and months of the budgets begin at midnight UTC, so that every daemon and agent means the same one. */
export const Period = z.enum(['daily', 'monthly'])
export type Period = z.infer<typeof Period>

const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const Tokens = z.strictObject({ input: Count, output: Count })
export type Tokens = z.infer<typeof Tokens>

/** Up to a thousand million for one call; more is a mistake of whoever says so. */
const OfCall = Count.max(1_000_000_000)
export const CallTokens = z.strictObject({ input: OfCall, output: OfCall })

/** Up to a million dollars for one call; more is a mistake of whoever says so. */
export const Dollars = z.number().min(0).max(1_000_000)

const MICROS = 1_000_000

/** Money is counted in whole millionths of a dollar, so that sums are exact; a part of one counts as one. */
export function toMicros(dollars: number): number {
  return Math.ceil(Number((dollars * MICROS).toFixed(3)))
}

export function fromMicros(micros: number): number {
  return micros / MICROS
}

/** Chosen by whoever pays; the same id twice is the same cost. */
export const CostId = EventId.max(100)
export type CostId = z.infer<typeof CostId>

export const CostEntry = z.strictObject({
  id: CostId,
  agentId: AgentId,
  projectNumber: Positive,
  itemNumber: Positive.nullable(),
  runId: RunId.nullable(),
  /** The thought that it was paid for: of no item, or the judgement of a delivery. */
  thoughtId: z.uuid().nullish(),
  model: z.string().min(1).max(200),
  tokens: Tokens,
  costUSD: Dollars,
  /** The worst case, booked because the real figure is not known; a real one replaces it. */
  assumed: z.boolean(),
  timestamp: Instant,
})
export type CostEntry = z.infer<typeof CostEntry>

/** Where what thoughts cost is booked: they are of the workspace, and of no item. */
export const THOUGHT_PROJECT = 1

/** Money set aside for a call that may be under way. */
export const Reservation = z.strictObject({
  id: CostId,
  agentId: AgentId,
  /** Null: it is for a thought that belongs to no item. */
  item: ItemRef.nullable(),
  runId: RunId.nullable(),
  thoughtId: z.uuid().nullish(),
  /** Of the claim under which the call is made. */
  fence: z.int().min(0),
  model: z.string().min(1).max(200),
  costUSD: Dollars,
  timestamp: Instant,
})
export type Reservation = z.infer<typeof Reservation>

export const BudgetHealth = z.enum(['healthy', 'warning', 'critical'])
export type BudgetHealth = z.infer<typeof BudgetHealth>

export const AlertLevel = z.enum(['info', 'warning', 'error', 'critical'])
export type AlertLevel = z.infer<typeof AlertLevel>

/** What a budget keeps from happening: nothing, new claims, or everything. */
export const BudgetHold = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('none') }),
  z.strictObject({ is: z.literal('claims'), why: z.string() }),
  z.strictObject({ is: z.literal('all'), why: z.string() }),
])
export type BudgetHold = z.infer<typeof BudgetHold>

/** One budget as it stands. */
export const BudgetState = z.strictObject({
  period: Period,
  startsAt: Instant,
  endsAt: Instant,
  totalUSD: z.number(),
  limitUSD: z.number(),
  /** Set aside for calls under way. */
  reservedUSD: z.number(),
  remainingUSD: z.number(),
  percent: z.number(),
  /** $12.34 / $50.00 (24.7%) */
  label: z.string(),
  health: BudgetHealth,
})
export type BudgetState = z.infer<typeof BudgetState>

/** How far a daily limit can come down, from what was spent. */
export const BudgetAdvice = z.strictObject({
  /** Null: nothing lower is suggested. */
  suggestedUSD: z.number().nullable(),
  limitUSD: z.number(),
  /** How it was worked out, or why there is none. */
  why: z.string(),
  /** What each of the last days has cost (UTC, today left out), newest first. */
  days: z.array(z.strictObject({ day: z.string(), costUSD: z.number() })),
})
export type BudgetAdvice = z.infer<typeof BudgetAdvice>

/** What each day has cost (UTC), the oldest first and today last; a day without a call is there with nothing. */
export const CostSeries = z.strictObject({
  days: z.array(
    z.strictObject({
      day: z.iso.date(),
      usd: z.number(),
      byAgent: z.array(z.strictObject({ agentId: AgentId, usd: z.number() })),
    }),
  ),
})
export type CostSeries = z.infer<typeof CostSeries>

export const CostTotals = BudgetState.extend({
  /** The worse of the daily and the monthly budget's health. */
  budgetHealth: BudgetHealth,
  /** What both budgets together hold up. */
  hold: BudgetHold,
  /** How much of the total is assumed, because no real figure is known yet. */
  assumedUSD: z.number(),
  calls: z.int(),
  tokens: Tokens,
  agents: z.array(z.strictObject({ agentId: AgentId, costUSD: z.number(), calls: z.int(), tokens: Tokens })),
  items: z.array(
    z.strictObject({
      projectNumber: z.int(),
      itemNumber: z.int().nullable(),
      costUSD: z.number(),
      calls: z.int(),
      tokens: Tokens,
    }),
  ),
})
export type CostTotals = z.infer<typeof CostTotals>
