// `treadle metrics --report`: a day, a week or a month, beside the span before it.
import type { Client } from '@treadle/contracts/client'
import type { MetricsPeriod } from '@treadle/contracts/metrics'
import type { IdeaMetrics, MetricsReport, Trend } from '@treadle/contracts/metrics-report'
import { usd } from '@treadle/contracts/words/money'
import { duration } from '@treadle/contracts/words/time'
import { paint, pairs, print, printJson } from './output.ts'

interface Options {
  readonly period: MetricsPeriod
  readonly json?: boolean
}

export async function showReport(client: Client, { period, json }: Options): Promise<void> {
  const report = await client.metricsReport({ query: { period } })
  if (json) return printJson(report)
  print(paint('bold', `From ${report.since.slice(0, 10)} to ${report.until.slice(0, 10)}`))
  printPairs(crewLines(report))
  print('')
  print(paint('bold', 'Improvements of its own'))
  printPairs(ideaLines(report.ideas))
  print('')
  print(paint('bold', 'Checks of deliveries that passed'))
  const { tests, linting, coverage, security } = report.quality
  printPairs([
    ['tests', both(tests, percent)],
    ['linter', both(linting, percent)],
    ['coverage', both(coverage, percent)],
    ['security', both(security, percent)],
  ])
}

type Line = [name: string, value: string]

function crewLines(report: MetricsReport): Line[] {
  const { queue, satisfaction, valued } = report
  return [
    ['completed', both(report.completed, String)],
    ['for each agent and day', both(report.completedPerAgentAndDay, rounded)],
    ['claim to completion', both(report.averageCycleMs, duration)],
    ['cost for an item', both(report.costPerItemUSD, usd)],
    ['cost', both(report.costUSD, usd)],
    ['of the budget', percent(report.budgetUsed)],
    ['busy', percent(report.uptime)],
    ['first review approved', percent(report.reviewPassRate)],
    ['errors for an agent', known(report.errorsPerAgent, rounded)],
    ['crashes', `${report.crashes} (${known(report.crashRate, rounded)} for each agent and day)`],
    ['queue', `${queue.depth}, ${queue.level}`],
    ['satisfaction', satisfaction === null ? 'nobody gave points' : `${percent(satisfaction)} of ${valued}`],
    ['points for a dollar', known(report.pointsPerUSD, rounded)],
  ]
}

function ideaLines(ideas: IdeaMetrics): Line[] {
  return [
    ['made', `${ideas.generated} (${known(ideas.perWeekAndCategory, rounded)} a week for each category)`],
    ['merged', `${ideas.merged} (${percent(ideas.mergedShare)} of those that are over)`],
    ['withdrawn', `${ideas.withdrawn} (${percent(ideas.withdrawnShare)})`],
    ['refused', `${ideas.refused} (${percent(ideas.refusedShare)} of the ideas)`],
    ['nothing worth doing', String(ideas.nothing)],
    ['categories looked at', percent(ideas.categoryCoverage)],
    ['cost of looking', usd(ideas.lookCostUSD)],
    ['cost for a merged one', known(ideas.costPerMergedUSD, usd)],
    ['of all that was completed', percent(ideas.ofCompleted)],
    ['from work to its own work', known(ideas.circleMs, duration)],
  ]
}

function printPairs(lines: readonly Line[]): void {
  print(pairs(lines.map(([name, value]) => [`  ${paint('dim', name)}`, value])))
}

const NOTHING = '–'

function both({ now, before }: Trend, words: (value: number) => string): string {
  return before === null ? known(now, words) : `${known(now, words)} (before: ${known(before, words)})`
}

function known(value: number | null, words: (value: number) => string): string {
  return value === null ? NOTHING : words(value)
}

function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(share * 100)}%`
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}
