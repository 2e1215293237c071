// How far a budget that began high can come down, from what was really spent; and what to say of an item that was dear.
import { type BudgetAdvice, fromMicros, toMicros } from '@treadle/contracts/cost'
import type { ItemRef } from '@treadle/contracts/ids'
import { PHASE_FLAGS } from '@treadle/contracts/order'
import { usd } from '@treadle/contracts/words/money'

/** How many days are looked at. */
export const DAYS = 14
/** Fewer days on which something was spent say nothing. */
const DAYS_MIN = 3
/** Room above the dearest day, so that an ordinary day never comes near the limit at which claims are held. */
const MARGIN = 1.5

export interface AdviceFacts {
  readonly days: BudgetAdvice['days']
  readonly limitUSD: number
}

export function adviseLimit({ days, limitUSD }: AdviceFacts): BudgetAdvice {
  const spent = days.filter(({ costUSD }) => costUSD > 0)
  const none = (why: string): BudgetAdvice => ({ suggestedUSD: null, limitUSD, why, days })
  if (spent.length < DAYS_MIN)
    return none(
      `something was spent on ${spent.length} of the last ${DAYS} days; a suggestion needs ${DAYS_MIN}`,
    )
  const dearest = spent.reduce((a, b) => (b.costUSD > a.costUSD ? b : a))
  const suggestedUSD = Math.ceil(fromMicros(Math.round(toMicros(dearest.costUSD) * MARGIN)))
  const how = `the most expensive of the last ${DAYS} days, ${dearest.day}, cost ${usd(dearest.costUSD)}; times ${MARGIN} and rounded up to whole dollars that is ${usd(suggestedUSD)}`
  if (suggestedUSD >= limitUSD) return none(`${how}, not less than the limit`)
  return { suggestedUSD, limitUSD, why: how, days }
}

export interface DearItem extends ItemRef {
  readonly costUSD: number
}

export function dearWords({ number, costUSD }: DearItem, limitUSD: number): string {
  return [
    `#${number} has cost ${usd(costUSD)}, more than ${usd(limitUSD)} (limits.itemCostUSD).`,
    `A planned rollback within 24 hours is called for: treadle rollback --phase 2 sets flags.${PHASE_FLAGS[2]} to false`,
    'in treadle.json, stops every agent, without losing its work, and puts what they hold back in the queue; after it one agent',
    'works at a time, until a person sets the flag to true. Raise the limit if items like this are worth it.',
  ].join(' ')
}
