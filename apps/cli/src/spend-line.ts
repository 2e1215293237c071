// What was spent of a budget, in a line.
import type { BudgetHealth, CostTotals, Period } from '@treadle/contracts/cost'
import { usd } from '@treadle/contracts/words/money'
import { paint } from './output.ts'

const NAMES: Readonly<Record<Period, string>> = { daily: 'Today', monthly: 'This month' }
const COLOURS: Readonly<Record<BudgetHealth, 'green' | 'yellow' | 'red'>> = {
  healthy: 'green',
  warning: 'yellow',
  critical: 'red',
}

export function spendLine({ period, label, health, reservedUSD, assumedUSD }: CostTotals): string {
  // Where the figures are not known, what is counted is no money that was spent.
  const assumed = assumedUSD > 0 ? `, ${usd(assumedUSD)} of it assumed` : ''
  const reserved = reservedUSD > 0 ? `, ${usd(reservedUSD)} set aside for calls under way` : ''
  return `${NAMES[period]} (UTC): ${paint(COLOURS[health], label)} ${health}${assumed}${reserved}`
}
