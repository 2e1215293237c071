// Costs as a chart, as rows and in words.
import type { BudgetAdvice, CostSeries, CostTotals } from '@treadle/contracts/cost'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { type ChartFacts, foldLayers } from '../parts/chart.model.ts'

type Days = CostSeries['days']

/** The chart has one bar for each day, one layer for each agent. */
export function chartOf(days: Days, limitUSD: number | null): ChartFacts {
  const agents = new Set(days.flatMap(({ byAgent }) => byAgent.map(({ agentId }) => agentId)))
  const layers = [...agents].toSorted(byName).map((agentId) => ({
    name: agentId,
    values: days.map((day) => day.byAgent.find((each) => each.agentId === agentId)?.usd ?? 0),
  }))
  return {
    bars: days.map(({ day }) => ({ short: SHORT.format(middayOf(day)), long: LONG.format(middayOf(day)) })),
    layers: foldLayers(
      layers.length > 0 ? layers : [{ name: 'all agents', values: days.map((day) => day.usd) }],
    ),
    limit: limitUSD,
  }
}

// The days are those of the budgets, which end at midnight UTC: another zone would name the wrong one.
const SHORT = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
const LONG = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

function middayOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}

export function totalOf(days: Days): number {
  return days.reduce((sum, { usd: cost }) => sum + cost, 0)
}

/** The main fact of the chart. */
export function captionOf(days: Days, limitUSD: number): string {
  const total = totalOf(days)
  const span = `the last ${days.length} days`
  if (total === 0) return `No spend in ${span}.`
  const dearest = days.reduce((a, b) => (b.usd > a.usd ? b : a))
  const over = days.filter(({ usd: cost }) => cost > limitUSD).length
  const said = [
    `${usd(total)} in ${span}, ${usd(total / days.length)} a day on average.`,
    `Most expensive day: ${LONG.format(middayOf(dearest.day))}, ${usd(dearest.usd)}.`,
  ]
  if (over > 0)
    said.push(`${over === 1 ? '1 day was' : `${over} days were`} above the daily limit of ${usd(limitUSD)}.`)
  return said.join(' ')
}

export interface SpendRow {
  readonly key: string
  readonly name: string
  /** The item that the row leads to; null if there is nothing to open. */
  readonly item: ItemRef | null
  readonly costUSD: number
  readonly calls: number
  readonly tokens: number
}

export function agentRows({ agents }: Pick<CostTotals, 'agents'>): SpendRow[] {
  return agents.map(({ agentId, costUSD, calls, tokens }) => ({
    key: agentId,
    name: agentId,
    item: null,
    costUSD,
    calls,
    tokens: tokens.input + tokens.output,
  }))
}

export function itemRows({ items: parts }: Pick<CostTotals, 'items'>, items: readonly Item[]): SpendRow[] {
  const known = new Map(items.map((item) => [`${item.projectNumber}/${item.number}`, item]))
  return parts.map(({ projectNumber, itemNumber, costUSD, calls, tokens }) => {
    const key = `${projectNumber}/${itemNumber}`
    const item = known.get(key)
    const ref = itemNumber === null ? null : { projectNumber, number: itemNumber }
    return {
      key,
      name: [ref === null ? 'no item' : itemLabel(ref), item?.title].filter(Boolean).join(' '),
      item: item === undefined ? null : ref,
      costUSD,
      calls,
      tokens: tokens.input + tokens.output,
    }
  })
}

export type SpendColumn = 'name' | 'costUSD' | 'calls' | 'tokens'

export interface Sorting {
  readonly by: SpendColumn
  readonly down: boolean
}

export const DEAREST_FIRST: Sorting = { by: 'costUSD', down: true }

/** The sorting after a click on a head: the same head turns it round; figures begin with the largest, names with the first. */
export function sortedBy(before: Sorting, by: SpendColumn): Sorting {
  return before.by === by ? { by, down: !before.down } : { by, down: by !== 'name' }
}

export function sortRows(rows: readonly SpendRow[], { by, down }: Sorting): SpendRow[] {
  const turn = down ? -1 : 1
  return rows.toSorted((a, b) => {
    const order = by === 'name' ? byName(a.name, b.name) : a[by] - b[by]
    return order === 0 ? byName(a.key, b.key) : turn * order
  })
}

// agent-10 comes after agent-9, and #10 after #9.
const NAMES = new Intl.Collator('en', { numeric: true })

function byName(a: string, b: string): number {
  return NAMES.compare(a, b)
}

export function share(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  const percent = (part / whole) * 100
  return percent < 1 ? '<1%' : `${Math.round(percent)}%`
}

const COUNTS = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function compactNumber(count: number): string {
  return COUNTS.format(count)
}

export function adviceWords({ suggestedUSD, limitUSD, why }: BudgetAdvice): { head: string; why: string } {
  const reason = `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`
  if (suggestedUSD === null)
    return { head: `No daily limit below ${usd(limitUSD)} is suggested.`, why: reason }
  return {
    head: `The daily limit could come down from ${usd(limitUSD)} to ${usd(suggestedUSD)}.`,
    why: reason,
  }
}

/** Facts beside a budget: what is left, what is set aside, what is only assumed. */
export function budgetFacts(
  totals: Pick<CostTotals, 'remainingUSD' | 'reservedUSD' | 'assumedUSD' | 'calls'>,
): string[] {
  const { remainingUSD, reservedUSD, assumedUSD, calls } = totals
  return [
    `${usd(Math.max(0, remainingUSD))} left`,
    calls === 1 ? '1 call' : `${calls} calls`,
    ...(reservedUSD > 0 ? [`${usd(reservedUSD)} set aside for calls under way`] : []),
    ...(assumedUSD > 0 ? [`${usd(assumedUSD)} of it assumed, until the real figure is known`] : []),
  ]
}
