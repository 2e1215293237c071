// What is told of money.
import { z } from 'zod'
import { AlertLevel, Dollars, Period, Tokens } from '../cost.ts'
import { spendLabel, usd } from '../words/money.ts'
import { event, line, type Sentences } from './shape.ts'

const EFFECT_WORDS: Record<AlertLevel, string> = {
  info: '',
  warning: '',
  error: '; no new item is claimed',
  critical: '; all agents are stopped',
}

/** Facts that move no item. */
const facts = [
  event('cost.logged', {
    model: z.string(),
    tokens: Tokens,
    costUSD: Dollars,
    /** The worst case, until the real figure is known. */
    assumed: z.boolean(),
  }),
  event('budget.crossed', {
    period: Period,
    percent: z.int(),
    level: AlertLevel,
    spentUSD: z.number(),
    limitUSD: z.number(),
    /** What the next call may cost, where that alone no longer fits. */
    nextUSD: Dollars.optional(),
  }),
] as const

export const costEvents = {
  facts,
  sentences: {
    'cost.logged': ({ model, costUSD, assumed }, { agent }) =>
      line(`${agent} spent ${assumed ? 'an assumed ' : ''}${usd(costUSD)}`, `on ${model}`),
    'budget.crossed': ({ period, percent, level, spentUSD, limitUSD, nextUSD }) =>
      line(
        percent >= 100 ? `The ${period} budget is used up` : `${percent}% of the ${period} budget is spent`,
        `${spendLabel(spentUSD, limitUSD)}${nextWords(nextUSD)}${EFFECT_WORDS[level]}`,
        level === 'info' ? 'plain' : 'attention',
      ),
  } satisfies Sentences<(typeof facts)[number]>,
}

function nextWords(nextUSD: number | undefined): string {
  return nextUSD === undefined ? '' : `, and the next call may cost ${usd(nextUSD)}`
}
