// A day, a week or a month in figures, beside the span before it. Pure.
import { CATEGORIES } from '@treadle/contracts/categories'
import { fromMicros } from '@treadle/contracts/cost'
import type { MetricsPeriod } from '@treadle/contracts/metrics'
import type { IdeaMetrics, MetricsReport, Trend } from '@treadle/contracts/metrics-report'
import { isReviewer } from '@treadle/contracts/review'
import type { GateTally, OwnIdeasTally, Tallies } from '../../ports/metrics.ts'
import { levelOf, PERIOD_MS } from './rates.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

export interface ReportFacts {
  readonly period: MetricsPeriod
  readonly now: Date
  readonly target: { readonly min: number; readonly max: number }
  readonly dailyBudgetUSD: number
  readonly monthlyBudgetUSD: number
  readonly tallies: Tallies
  /** Of twice the period: what is not in the period itself was before it. */
  readonly both: Tallies
  readonly ideas: OwnIdeasTally
  readonly gates: readonly GateTally[]
  readonly gatesBefore: readonly GateTally[]
}

export function metricsReport(facts: ReportFacts): MetricsReport {
  const { period, now, target, tallies, both, ideas, gates, gatesBefore } = facts
  const span = PERIOD_MS[period]
  const days = span / DAY_MS
  const current = sums(tallies)
  const before = minus(sums(both), current)
  const builders = tallies.agents.filter(({ agentId }) => !isReviewer(agentId)).length
  const trend = (figure: (of: Sums) => number | null): Trend => ({
    now: figure(current),
    before: before.completed + before.errors + before.costUSD === 0 ? null : figure(before),
  })
  const quality = (...names: string[]): Trend => ({
    now: passed(gates, names),
    before: passed(gatesBefore, names),
  })
  const depth = tallies.loop.queueDepth
  const satisfaction = ideas.points === null ? null : ideas.points / 10
  return {
    period,
    since: new Date(now.getTime() - span).toISOString(),
    until: now.toISOString(),
    completed: trend(({ completed }) => completed),
    completedPerAgentAndDay: trend(({ completed }) => rate(completed, builders * days)),
    costPerItemUSD: trend(({ itemsCostUSD, completed }) => rate(itemsCostUSD, completed)),
    costUSD: trend(({ costUSD }) => costUSD),
    averageCycleMs: trend(({ cycleMs, cycles }) => rate(cycleMs, cycles)),
    reviewPassRate: rate(current.approved, current.decided),
    uptime: rate(current.busyMs, current.knownMs),
    errors: current.errors,
    errorsPerAgent: rate(current.errors, tallies.agents.length),
    crashes: current.crashes,
    crashRate: rate(current.crashes, tallies.agents.length * days),
    queue: { depth, level: levelOf(depth, target) },
    ideas: ideaMetrics(ideas, span),
    budgetUsed: rate(current.costUSD, budgetOf(facts, days)),
    satisfaction,
    valued: ideas.valued,
    quality: {
      tests: quality('tests_pass', 'no_regression'),
      linting: quality('linter_pass'),
      coverage: quality('coverage_pass'),
      security: quality('security', 'secrets'),
    },
    pointsPerUSD: ideas.points === null ? null : rate(ideas.points * ideas.valued, current.costUSD),
  }
}

function ideaMetrics(tally: OwnIdeasTally, spanMs: number): IdeaMetrics {
  const { generated, merged, withdrawn, refused, nothing, categories, circleMs, circles } = tally
  const over = merged + withdrawn
  const isUsed = categories > 0 || generated > 0
  const weeks = spanMs / WEEK_MS
  return {
    generated,
    merged,
    withdrawn,
    refused,
    nothing,
    refusedShare: rate(refused, generated + refused),
    mergedShare: rate(merged, over),
    withdrawnShare: rate(withdrawn, over),
    perWeekAndCategory: rate(generated, categories * weeks),
    categoryCoverage: isUsed ? Math.min(1, categories / CATEGORIES.length) : null,
    lookCostUSD: dollars(fromMicros(tally.lookMicros)),
    costPerMergedUSD: rate(dollars(fromMicros(tally.lookMicros + tally.itemMicros)), merged),
    ofCompleted: rate(merged, tally.completed),
    circleMs: rate(circleMs, circles),
  }
}

interface Sums {
  readonly completed: number
  readonly itemsCostUSD: number
  readonly costUSD: number
  readonly cycleMs: number
  readonly cycles: number
  readonly approved: number
  readonly decided: number
  readonly errors: number
  readonly crashes: number
  readonly busyMs: number
  readonly knownMs: number
}

function sums({ agents }: Tallies): Sums {
  const builders = agents.filter(({ agentId }) => !isReviewer(agentId)).map(({ all }) => all)
  return {
    completed: total(builders, ({ completed }) => completed.inPeriod),
    itemsCostUSD: total(builders, ({ itemsCostUSD }) => itemsCostUSD),
    costUSD: dollars(total(agents, ({ costUSD }) => costUSD)),
    cycleMs: total(builders, ({ cycleMs }) => cycleMs),
    cycles: total(builders, ({ cycles }) => cycles),
    approved: total(builders, ({ firstReviews }) => firstReviews.approved),
    decided: total(builders, ({ firstReviews }) => firstReviews.decided),
    errors: total(agents, ({ all }) => all.errors),
    crashes: total(agents, ({ all }) => all.crashes),
    busyMs: total(agents, ({ busyMs }) => busyMs),
    knownMs: total(agents, ({ knownMs }) => knownMs),
  }
}

/** What happened between two looks can only be more: never below nothing. */
function minus(whole: Sums, part: Sums): Sums {
  const names = Object.keys(whole) as (keyof Sums)[]
  return Object.fromEntries(
    names.map((name) => [name, Math.max(0, whole[name] - part[name])]),
  ) as unknown as Sums
}

function passed(gates: readonly GateTally[], names: readonly string[]): number | null {
  const meant = gates.filter(({ gate }) => names.includes(gate))
  const held = total(meant, (each) => each.passed)
  return rate(held, held + total(meant, (each) => each.failed))
}

function budgetOf({ dailyBudgetUSD, monthlyBudgetUSD }: ReportFacts, days: number): number {
  return days >= 30 ? monthlyBudgetUSD : Math.min(monthlyBudgetUSD, dailyBudgetUSD * days)
}

function total<T>(of: readonly T[], figure: (each: T) => number): number {
  return of.reduce((sum, each) => sum + figure(each), 0)
}

function rate(sum: number, count: number): number | null {
  return count > 0 ? sum / count : null
}

/** Sums of fractions leave a tail behind the millionth. */
function dollars(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000
}
