// How agents and the crew do. docs/metrics.md says what each figure counts, where it comes from and what null means.
import { z } from 'zod'
import { AgentId, Instant, RunId } from './ids.ts'

export const MetricsPeriod = z.enum(['24h', '7d', '30d'])
export type MetricsPeriod = z.infer<typeof MetricsPeriod>

const Count = z.int().min(0)
const Share = z.number().min(0).max(1)
const Ms = z.number().min(0)
const Usd = z.number().min(0)

/** Rolling: the last 24 hours and 7 days end now, whatever the period. */
export const CompletedCounts = z.strictObject({
  total: Count,
  last24h: Count,
  last7d: Count,
  inPeriod: Count,
})
export type CompletedCounts = z.infer<typeof CompletedCounts>

/** Since when and why they cannot be calculated; `calculatedAt` says of when the figures are that are shown instead. */
export const Stale = z.strictObject({ since: Instant, why: z.string().min(1).max(1_000) })
export type Stale = z.infer<typeof Stale>

/** What agents and the crew as a whole are measured by. Null: there was nothing to measure. */
const Rates = z.strictObject({
  /** Completed in the period, for each day of it. */
  completedPerDay: z.number().min(0).nullable(),
  /** From the claim to the completion. */
  averageCycleMs: Ms.nullable(),
  /** Items approved by their first review. */
  reviewPassRate: Share.nullable(),
  /** Reviews that a completed item has taken. */
  reviewsPerItem: z.number().min(0).nullable(),
  /** Merges whose tests held, of all that were tested. */
  mergePassRate: Share.nullable(),
  errorsPerItem: z.number().min(0).nullable(),
  /** What a completed item has cost in all, on the average. */
  costPerItemUSD: Usd.nullable(),
  /** Spent in the period. */
  costUSD: Usd,
  /** Time in working, reviewing or ideating, of all time. */
  uptime: Share.nullable(),
  /** Runs whose first attempt held, of all runs. */
  firstPassSuccess: Share.nullable(),
  errors: Count,
  crashes: Count,
})

export const AgentMetrics = Rates.extend({
  agentId: AgentId,
  period: MetricsPeriod,
  /** review: what it completes are reviews, not items. */
  role: z.enum(['build', 'review']),
  tasksCompleted: CompletedCounts,
  /** From when on it was measured: the start of the period, or later if it is newer or was reset since. */
  measuredSince: Instant,
  calculatedAt: Instant,
  stale: Stale.nullable(),
})
export type AgentMetrics = z.infer<typeof AgentMetrics>

/** All agents together, as if nobody had been reset; what reviewers complete is left out. */
export const MetricsSummary = Rates.extend({ completed: CompletedCounts })
export type MetricsSummary = z.infer<typeof MetricsSummary>

export const QueueLevel = z.enum(['low', 'healthy', 'high'])
export type QueueLevel = z.infer<typeof QueueLevel>

/** Whether the crew keeps itself busy. */
export const LoopMetrics = z.strictObject({
  /** Items that an agent could claim now. */
  queueDepth: Count,
  target: z.strictObject({ min: Count, max: Count }),
  level: QueueLevel,
  /** From the end of a delivered run to the same agent's next claim; called cycle time of the loop elsewhere. */
  handoffGapMs: Ms.nullable(),
  /** Agents that went from executing over reviewing and ideating back to executing in the last 24 hours. */
  cycleCompleteness: Share.nullable(),
  /** Of the 21 categories, those that items of the last 30 days belong to. */
  categoryCoverage: Share.nullable(),
})
export type LoopMetrics = z.infer<typeof LoopMetrics>

export const CrewMetrics = z.strictObject({
  period: MetricsPeriod,
  agents: z.array(AgentMetrics),
  summary: MetricsSummary,
  loop: LoopMetrics,
  calculatedAt: Instant,
  stale: Stale.nullable(),
})
export type CrewMetrics = z.infer<typeof CrewMetrics>

/** One figure that a look back on a run has recorded. */
export const ImprovementMetric = z.strictObject({
  runId: RunId,
  agentId: AgentId,
  metric: z.enum(['first_pass_success', 'gotcha_effectiveness', 'build_duration_minutes']),
  value: z.number().min(0),
  recordedAt: Instant,
})
export type ImprovementMetric = z.infer<typeof ImprovementMetric>
