// What is said of figures: the period, the header's three, what a closed card shows, and whether they are old.
import type { Item } from '@treadle/contracts/item'
import type { AgentMetrics, CrewMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import { usd } from '@treadle/contracts/words/money'
import { duration, timeAgo } from '@treadle/contracts/words/time'

export const PERIODS: readonly { readonly value: MetricsPeriod; readonly words: string }[] = [
  { value: '24h', words: '24 hours' },
  { value: '7d', words: '7 days' },
  { value: '30d', words: '30 days' },
]

export function periodWords(period: MetricsPeriod): string {
  return PERIODS.find(({ value }) => value === period)?.words ?? period
}

/** A text that changes whenever an item is merged, also where the page does not hold all that ever were. */
export function mergeMark(items: readonly Pick<Item, 'state' | 'updatedAt'>[]): string {
  const merged = items.filter(({ state }) => state === 'done')
  const last = merged.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '')
  return `${merged.length} ${last}`
}

/** The few figures on a closed card. */
export function headlines(agent: AgentMetrics): string[] {
  const { tasksCompleted, averageCycleMs, costUSD, role } = agent
  const what = role === 'review' ? 'reviews' : 'completed'
  return [
    `${tasksCompleted.inPeriod} ${what}`,
    ...(averageCycleMs === null ? [] : [`${duration(averageCycleMs)} a cycle`]),
    ...(costUSD > 0 ? [usd(costUSD)] : []),
  ]
}

const HOUR = 3_600_000
const PERIOD_MS: Readonly<Record<MetricsPeriod, number>> = {
  '24h': 24 * HOUR,
  '7d': 168 * HOUR,
  '30d': 720 * HOUR,
}
const SLACK_MS = 60_000

/** An agent that is newer than the period, or was reset in it, has been measured for less. */
export function isMeasuredShort({
  measuredSince,
  calculatedAt,
  period,
}: Pick<AgentMetrics, 'measuredSince' | 'calculatedAt' | 'period'>): boolean {
  return Date.parse(measuredSince) > Date.parse(calculatedAt) - PERIOD_MS[period] + SLACK_MS
}

const NOTHING = '–'

interface Summary {
  readonly name: string
  readonly value: string
}

/** The crew in three figures, for the header. */
export function summaryOf({ summary, period }: Pick<CrewMetrics, 'summary' | 'period'>): Summary[] {
  const { completed, averageCycleMs, costUSD } = summary
  return [
    { name: 'Completed', value: `${completed.total} (${completed.inPeriod} in ${periodWords(period)})` },
    { name: 'Average cycle', value: averageCycleMs === null ? NOTHING : duration(averageCycleMs) },
    { name: `Cost in ${periodWords(period)}`, value: usd(costUSD) },
  ]
}

interface StaleFacts {
  readonly answer: Pick<CrewMetrics, 'calculatedAt' | 'stale'> | null
  /** The reason why the last request was not answered. */
  readonly problem: string | null
  readonly now: number
}

/** A warning about old figures; null if they are fresh, or there are none. */
export function staleWords({ answer, problem, now }: StaleFacts): { head: string; why: string } | null {
  if (answer === null) return null
  const head = `These figures are of ${timeAgo(answer.calculatedAt, now)}.`
  if (answer.stale !== null) {
    const { since, why } = answer.stale
    return { head, why: `They could not be recalculated since ${timeAgo(since, now)}: ${why}` }
  }
  if (problem === null) return null
  return { head, why: `They could not be read since: ${problem}` }
}
