// What a day, a week or a month has brought, beside the span before it. Null: there was nothing to measure.
import { z } from 'zod'
import { Instant } from './ids.ts'
import { MetricsPeriod, QueueLevel } from './metrics.ts'

const Count = z.int().min(0)
const Share = z.number().min(0).max(1)
const Usd = z.number().min(0)

/** A figure, and what it was in the span of the same length before. */
const Trend = z.strictObject({ now: z.number().min(0).nullable(), before: z.number().min(0).nullable() })
export type Trend = z.infer<typeof Trend>

/** Improvements that the crew thought of itself. */
export const IdeaMetrics = z.strictObject({
  generated: Count,
  merged: Count,
  withdrawn: Count,
  /** Answers with an idea that was not taken, and answers that nothing is worth doing. */
  refused: Count,
  nothing: Count,
  /** Of all ideas that came, those that were not taken. */
  refusedShare: Share.nullable(),
  /** Of the improvements that are over, those that were merged, and those that were withdrawn. */
  mergedShare: Share.nullable(),
  withdrawnShare: Share.nullable(),
  /** Improvements in a week for each category that was looked at. */
  perWeekAndCategory: z.number().min(0).nullable(),
  /** Of the 21 categories, those that were looked at. */
  categoryCoverage: Share.nullable(),
  /** What looking has cost. */
  lookCostUSD: Usd,
  /** Looking and building, for each improvement that was merged. */
  costPerMergedUSD: Usd.nullable(),
  /** Of all items that were completed, the crew's own. */
  ofCompleted: Share.nullable(),
  /** From an agent's last claim before an idea of its own to the first claim of that idea. */
  circleMs: z.number().min(0).nullable(),
})
export type IdeaMetrics = z.infer<typeof IdeaMetrics>

export const MetricsReport = z.strictObject({
  period: MetricsPeriod,
  since: Instant,
  until: Instant,
  completed: Trend,
  completedPerAgentAndDay: Trend,
  costPerItemUSD: Trend,
  costUSD: Trend,
  /** From the claim to the completion. */
  averageCycleMs: Trend,
  reviewPassRate: Share.nullable(),
  uptime: Share.nullable(),
  errors: Count,
  errorsPerAgent: z.number().min(0).nullable(),
  crashes: Count,
  /** Crashes for each agent and day. */
  crashRate: z.number().min(0).nullable(),
  queue: z.strictObject({ depth: Count, level: QueueLevel }),
  ideas: IdeaMetrics,
  /** Spent of what may be spent in as many days. */
  budgetUsed: z.number().min(0).nullable(),
  /** The mean of the points that people gave to what was merged in the last 30 days, of 10. */
  satisfaction: Share.nullable(),
  valued: Count,
  /** Of the checks of deliveries that came to a verdict, those that passed. */
  quality: z.strictObject({ tests: Trend, linting: Trend, coverage: Trend, security: Trend }),
  /** Points that people gave to what was merged, for each dollar that was spent. */
  pointsPerUSD: z.number().min(0).nullable(),
})
export type MetricsReport = z.infer<typeof MetricsReport>
