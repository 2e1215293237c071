// The budgets in words: how much is spent, and whether that is well.
import type { BudgetHealth, BudgetHold, CostTotals, Period } from '@treadle/contracts/cost'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'

const NAMES: Readonly<Record<Period, string>> = { daily: 'Today', monthly: 'This month' }
const HEALTH_WORDS: Readonly<Record<BudgetHealth, string>> = {
  healthy: 'within budget',
  warning: 'half or more spent',
  critical: 'less than a quarter left',
}
/** A sign beside the colour, for whoever does not see it. */
const SIGNS: Readonly<Record<BudgetHealth, string>> = { healthy: '✓', warning: '!', critical: '‼' }

export interface Meter {
  readonly name: string
  readonly label: string
  readonly sign: string
  readonly words: string
  readonly health: BudgetHealth
  /** Percent of the bar that is filled, 0 to 100. */
  readonly filled: number
}

export function meterOf({ period, label, health, percent }: CostTotals): Meter {
  return {
    name: NAMES[period],
    label,
    sign: SIGNS[health],
    words: HEALTH_WORDS[health],
    health,
    filled: Math.min(100, Math.max(0, percent)),
  }
}

export interface CostPart {
  readonly key: string
  readonly name: string
  readonly cost: string
  readonly calls: number
}

const PARTS_MAX = 20

/** Today's costs by item, the dearest first. */
export function costParts({ items: parts }: Pick<CostTotals, 'items'>, items: readonly Item[]): CostPart[] {
  return parts.slice(0, PARTS_MAX).map(({ projectNumber, itemNumber, costUSD, calls }) => {
    const item = items.find((each) => each.projectNumber === projectNumber && each.number === itemNumber)
    const label = itemNumber === null ? 'no item' : itemLabel({ projectNumber, number: itemNumber })
    return {
      key: `${projectNumber}/${itemNumber}`,
      name: item === undefined ? label : `${label} ${item.title}`,
      cost: usd(costUSD),
      calls,
    }
  })
}

export function holdBanner(
  hold: BudgetHold,
): { tone: 'attention' | 'bad'; strong: string; why: string } | null {
  switch (hold.is) {
    case 'none':
      return null
    case 'claims':
      return { tone: 'attention', strong: 'No new item is claimed.', why: sentenceOf(hold.why) }
    case 'all':
      return { tone: 'bad', strong: 'All agents are stopped.', why: sentenceOf(hold.why) }
  }
}

function sentenceOf(why: string): string {
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`
}
