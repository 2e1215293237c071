// May a call of a model be made? Only if everything that may be spent by then still fits into both budgets.
import { fromMicros } from '@treadle/contracts/cost'
import { usd } from '@treadle/contracts/words/money'
import { type Budget, judgeHold } from './budget.ts'

/** All sums are millionths of a dollar. */
export interface ReserveFacts {
  readonly budgets: readonly Budget[]
  /** Set aside for calls of others that may be under way. */
  readonly open: number
  /** The most that this call is expected to cost. */
  readonly own: number
  /** What any call is taken to cost. */
  readonly call: number
  readonly callsLastMinute: number
  readonly callsPerMinute: number
}

export type ReserveChoice =
  | { readonly is: 'granted' }
  | { readonly is: 'wait'; readonly why: string }
  /** Not before a budget changes. */
  | { readonly is: 'refused'; readonly why: string; readonly budget: Budget }

export function decideReserve(facts: ReserveFacts): ReserveChoice {
  const { budgets, open, own, call } = facts
  // A call that is dearer than others has to wait; only if not even a usual one fits is the budget used up.
  const least = Math.min(own, call)
  const used = budgets.find(({ spent, limit }) => spent >= limit || spent + least > limit)
  if (used !== undefined) {
    const hold = judgeHold([{ ...used, refused: true }], call)
    return { is: 'refused', why: hold.is === 'none' ? 'the budget is used up' : hold.why, budget: used }
  }
  const full = budgets.find(({ spent, limit }) => spent + open + own > limit)
  if (full !== undefined) {
    const left = usd(fromMicros(Math.max(0, full.limit - full.spent - open)))
    return {
      is: 'wait',
      why: `of the ${full.period} budget ${left} is free, the call may cost ${usd(fromMicros(own))}`,
    }
  }
  if (facts.callsLastMinute >= facts.callsPerMinute)
    return { is: 'wait', why: `the crew has begun ${facts.callsLastMinute} calls within a minute` }
  return { is: 'granted' }
}

/** What an agent may spend by itself while the daemon is away: its part of what is left. */
export function shareOf({ budgets, open }: Pick<ReserveFacts, 'budgets' | 'open'>, agents: number): number {
  const left = Math.min(...budgets.map(({ spent, limit }) => limit - spent - open))
  return Math.max(0, Math.floor(left / Math.max(1, agents)))
}
