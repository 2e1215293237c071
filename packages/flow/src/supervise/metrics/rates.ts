// From what was counted to rates and levels. A rate of nothing is null, never 0 and never 100 percent.
import { CATEGORIES } from '@treadle/contracts/categories'
import type {
  AgentMetrics,
  CrewMetrics,
  LoopMetrics,
  MetricsPeriod,
  MetricsSummary,
  QueueLevel,
} from '@treadle/contracts/metrics'
import { isReviewer } from '@treadle/contracts/review'
import type { AgentTally, Counted, LoopTally, Tallies } from '../../ports/metrics.ts'

const DAY_MS = 86_400_000
export const PERIOD_MS: Readonly<Record<MetricsPeriod, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
}

export function levelOf(depth: number, { min, max }: LoopMetrics['target']): QueueLevel {
  if (depth < min) return 'low'
  return depth > max ? 'high' : 'healthy'
}

interface MetricsRequest {
  readonly period: MetricsPeriod
  readonly now: Date
  /** As many items as keep a crew busy without anybody having to look for more. */
  readonly target: LoopMetrics['target']
}

export function crewMetrics(tallies: Tallies, asked: MetricsRequest): CrewMetrics {
  return {
    period: asked.period,
    agents: tallies.agents.map((tally) => agentMetrics(tally, asked)),
    summary: summaryOf(tallies, asked),
    loop: loopMetrics(tallies.loop, asked.target),
    calculatedAt: asked.now.toISOString(),
    stale: null,
  }
}

function agentMetrics(tally: AgentTally, { period, now }: MetricsRequest): AgentMetrics {
  const days = daysBetween(tally.since, now)
  return {
    agentId: tally.agentId,
    period,
    role: isReviewer(tally.agentId) ? 'review' : 'build',
    tasksCompleted: { ...tally.own.completed },
    completedPerDay: tally.own.completed.inPeriod / days,
    ...ratesOf({ ...tally.own, costUSD: tally.costUSD, busyMs: tally.busyMs, knownMs: tally.knownMs }),
    measuredSince: tally.since.toISOString(),
    calculatedAt: now.toISOString(),
    stale: null,
  }
}

type Rates = Omit<MetricsSummary, 'completed' | 'completedPerDay'>

function ratesOf(tally: Counted & Pick<AgentTally, 'costUSD' | 'busyMs' | 'knownMs'>): Rates {
  const { firstReviews, merges, firstPass, completed } = tally
  return {
    averageCycleMs: rate(tally.cycleMs, tally.cycles),
    reviewPassRate: rate(firstReviews.approved, firstReviews.decided),
    reviewsPerItem: rate(tally.reviews, tally.reviewedItems),
    mergePassRate: rate(merges.passed, merges.passed + merges.failed),
    errorsPerItem: rate(tally.errors, tally.items),
    costPerItemUSD: rate(tally.itemsCostUSD, completed.inPeriod),
    costUSD: tally.costUSD,
    uptime: shareOf(tally.busyMs, tally.knownMs),
    firstPassSuccess: rate(firstPass.sum, firstPass.runs),
    errors: tally.errors,
    crashes: tally.crashes,
  }
}

/** Rates of the crew are of the sums, not means of the agents' rates: an agent with one item weighs as one item. */
function summaryOf({ agents, items }: Tallies, { period, now }: MetricsRequest): MetricsSummary {
  const builders = agents.filter(({ agentId }) => !isReviewer(agentId))
  const counted = countedTogether(builders.map(({ all }) => all))
  const eldest = Math.min(now.getTime(), ...builders.map(({ since }) => since.getTime()))
  const days = daysBetween(new Date(Math.max(eldest, now.getTime() - PERIOD_MS[period])), now)
  return {
    completed: counted.completed,
    completedPerDay: builders.length === 0 ? null : counted.completed.inPeriod / days,
    ...ratesOf({
      ...counted,
      items,
      errors: sum(agents, ({ all }) => all.errors),
      crashes: sum(agents, ({ all }) => all.crashes),
      costUSD: dollars(sum(agents, ({ costUSD }) => costUSD)),
      busyMs: sum(agents, ({ busyMs }) => busyMs),
      knownMs: sum(agents, ({ knownMs }) => knownMs),
    }),
  }
}

function countedTogether(all: readonly Counted[]): Counted {
  return {
    completed: {
      total: sum(all, ({ completed }) => completed.total),
      last24h: sum(all, ({ completed }) => completed.last24h),
      last7d: sum(all, ({ completed }) => completed.last7d),
      inPeriod: sum(all, ({ completed }) => completed.inPeriod),
    },
    cycleMs: sum(all, ({ cycleMs }) => cycleMs),
    cycles: sum(all, ({ cycles }) => cycles),
    firstReviews: {
      approved: sum(all, ({ firstReviews }) => firstReviews.approved),
      decided: sum(all, ({ firstReviews }) => firstReviews.decided),
    },
    reviews: sum(all, ({ reviews }) => reviews),
    reviewedItems: sum(all, ({ reviewedItems }) => reviewedItems),
    merges: {
      passed: sum(all, ({ merges }) => merges.passed),
      failed: sum(all, ({ merges }) => merges.failed),
    },
    errors: sum(all, ({ errors }) => errors),
    crashes: sum(all, ({ crashes }) => crashes),
    items: sum(all, ({ items }) => items),
    itemsCostUSD: sum(all, ({ itemsCostUSD }) => itemsCostUSD),
    firstPass: {
      sum: sum(all, ({ firstPass }) => firstPass.sum),
      runs: sum(all, ({ firstPass }) => firstPass.runs),
    },
  }
}

function sum<T>(of: readonly T[], figure: (each: T) => number): number {
  return of.reduce((total, each) => total + figure(each), 0)
}

function loopMetrics(tally: LoopTally, target: LoopMetrics['target']): LoopMetrics {
  const { queueDepth, handoffMs, handoffs, circle, categories } = tally
  return {
    queueDepth,
    target,
    level: levelOf(queueDepth, target),
    handoffGapMs: rate(handoffMs, handoffs),
    cycleCompleteness: circle === null ? null : shareOf(circle.whole, circle.agents),
    categoryCoverage: categories === null ? null : shareOf(categories, CATEGORIES.length),
  }
}

/** What began an hour ago has had a day: a rate of 48 a day after two items in an hour would be a guess. */
function daysBetween(since: Date, now: Date): number {
  return Math.max(1, (now.getTime() - since.getTime()) / DAY_MS)
}

function rate(sum: number, count: number): number | null {
  return count > 0 ? sum / count : null
}

function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : null
}

/** Sums of fractions leave a tail behind the millionth. */
function dollars(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000
}
