// How two budgets stand, and what that holds up. All sums are millionths of a dollar.
import {
  type AlertLevel,
  type BudgetHealth,
  type BudgetHold,
  type BudgetState,
  fromMicros,
  type Period,
} from '@treadle/contracts/cost'
import { percentOf, spendLabel, usd } from '@treadle/contracts/words/money'
import type { Span } from './period.ts'

export interface Budget extends Span {
  readonly period: Period
  readonly spent: number
  readonly limit: number
  /** A call was refused because it no longer fitted. */
  readonly refused: boolean
}

export interface Threshold {
  readonly percent: number
  readonly level: AlertLevel
  readonly holds: BudgetHold['is']
}

export const THRESHOLDS: readonly Threshold[] = [
  { percent: 50, level: 'info', holds: 'none' },
  { percent: 75, level: 'warning', holds: 'none' },
  { percent: 90, level: 'error', holds: 'claims' },
  { percent: 100, level: 'critical', holds: 'all' },
]

/** The thresholds that the spending has reached, lowest first. */
export function reached({ spent, limit }: Pick<Budget, 'spent' | 'limit'>): Threshold[] {
  return THRESHOLDS.filter(({ percent }) => spent * 100 >= limit * percent)
}

/** More than half is left: healthy; less than a quarter: critical. */
export function judgeBudget({ spent, limit }: Pick<Budget, 'spent' | 'limit'>): BudgetHealth {
  const left = (limit - spent) * 100
  if (left > limit * 50) return 'healthy'
  return left >= limit * 25 ? 'warning' : 'critical'
}

const WORST_FIRST: readonly BudgetHealth[] = ['critical', 'warning', 'healthy']

export function worse(states: readonly BudgetHealth[]): BudgetHealth {
  return WORST_FIRST.find((health) => states.includes(health)) ?? 'healthy'
}

/** The stricter of the budgets decides. `call`: what any call is taken to cost. */
export function judgeHold(budgets: readonly Budget[], call: number): BudgetHold {
  const used = budgets.find((budget) => isUsedUp(budget, call))
  if (used !== undefined) return { is: 'all', why: usedUpWords(used, call) }
  const close = budgets.find((budget) => reached(budget).some(({ holds }) => holds === 'claims'))
  return close === undefined
    ? { is: 'none' }
    : { is: 'claims', why: `${spentWords(close)}; ${wayOut(close)}` }
}

/** A refusal counts only as long as it would be repeated: an assumed cost may have turned out smaller. */
function isUsedUp({ spent, limit, refused }: Budget, call: number): boolean {
  return spent >= limit || (refused && spent + call > limit)
}

function usedUpWords(budget: Budget, call: number): string {
  const next = budget.spent < budget.limit ? `, and the next call may cost ${usd(fromMicros(call))}` : ''
  return `the ${budget.period} budget is used up: ${labelOf(budget)}${next}; ${wayOut(budget)}`
}

function spentWords(budget: Budget): string {
  return `the ${budget.period} budget is nearly used up: ${labelOf(budget)}`
}

const SETTING: Readonly<Record<Period, string>> = {
  daily: 'agents.dailyBudgetUSD',
  monthly: 'agents.monthlyBudgetUSD',
}

function wayOut({ period, endsAt }: Budget): string {
  return `raise ${SETTING[period]}, or wait until ${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function labelOf({ spent, limit }: Budget): string {
  return spendLabel(fromMicros(spent), fromMicros(limit))
}

/** As the API tells it. */
export function budgetState(budget: Budget, reserved: number): BudgetState {
  const [spent, limit] = [fromMicros(budget.spent), fromMicros(budget.limit)]
  return {
    period: budget.period,
    startsAt: budget.startsAt.toISOString(),
    endsAt: budget.endsAt.toISOString(),
    totalUSD: spent,
    limitUSD: limit,
    reservedUSD: fromMicros(reserved),
    remainingUSD: fromMicros(Math.max(0, budget.limit - budget.spent - reserved)),
    percent: percentOf(spent, limit),
    label: labelOf(budget),
    health: judgeBudget(budget),
  }
}
