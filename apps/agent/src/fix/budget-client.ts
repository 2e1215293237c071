// `treadle fix` has no daemon to share a budget with: one fix may cost what the daily budget allows.
import type { Config } from '@treadle/contracts/config'
import { asksModel } from '@treadle/contracts/config/engines'
import type { Usage } from '@treadle/contracts/run'
import { spendLabel } from '@treadle/contracts/words/money'
import { chargeOf, openPrices } from '@treadle/engines/prices'
import { Fault } from '@treadle/flow/fault'
import { type BudgetClient, decideRest } from '@treadle/flow/ports/budget'

export function fixBudgetClient({ agents, limits, engines }: Config, before: readonly Usage[]): BudgetClient {
  const prices = openPrices(engines.prices, limits.assumedCallUSD)
  const priceOf = (usage: Usage) => chargeOf(prices, usage).usd
  let spent = before.reduce((sum, usage) => sum + priceOf(usage), 0)
  const fits = () => spent + limits.assumedCallUSD <= agents.dailyBudgetUSD
  return {
    begin: async (engine, { stop }) => {
      let calls = 0
      if (!fits()) {
        const label = spendLabel(spent, agents.dailyBudgetUSD)
        throw new Fault('budget', `the budget for this fix is used up: ${label}`, {
          hint: 'Raise agents.dailyBudgetUSD in treadle.json.',
        })
      }
      return {
        used: (usage) => {
          calls += 1
          spent += priceOf(usage)
          if (!fits()) stop()
        },
        ready: async () => undefined,
        end: async (outcome, hasAsked) => {
          if (decideRest({ outcome, calls, asksModel: asksModel(engine), hasAsked }) === 'assume')
            spent += limits.assumedCallUSD
        },
      }
    },
  }
}
