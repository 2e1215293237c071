// `treadle costs`: what was spent, on what, and how much of the budgets is left.
import type { Client } from '@treadle/contracts/client'
import { type CostTotals, Period } from '@treadle/contracts/cost'
import { usd } from '@treadle/contracts/words/money'
import { Option } from 'commander'
import { paint, print, printJson } from '../output.ts'
import { json, type Program, withClient } from '../program.ts'
import { spendLine } from '../spend-line.ts'
import { listing } from '../terminal/listing.ts'

export function costCommands(program: Program): void {
  program.root
    .command('costs')
    .addOption(new Option('--period <period>', 'which budget').choices(Period.options).default('daily'))
    .addOption(json())
    .action((options: { period: Period; json?: boolean }) =>
      withClient(program, (client) => showCosts(client, options)),
    )
}

async function showCosts(client: Client, options: { period: Period; json?: boolean }): Promise<void> {
  const [totals, advice] = await Promise.all([
    client.costTotals({ query: { period: options.period } }),
    client.budgetAdvice(),
  ])
  if (options.json) return printJson({ ...totals, advice })
  print(spendLine(totals))
  for (const line of holdLines(totals)) print(line)
  if (totals.assumedUSD > 0)
    print('Assumed is what calls without figures of their own are counted as: the real cost is not known.')
  if (advice.suggestedUSD !== null)
    print(`agents.dailyBudgetUSD could be ${usd(advice.suggestedUSD)}: ${advice.why}.`)
  if (totals.calls === 0) return
  print('')
  print(partsTable(totals))
}

/** Lines about what the budgets hold up, with what to do about it; none if they hold nothing up. */
export function holdLines({ hold }: Pick<CostTotals, 'hold'>): string[] {
  switch (hold.is) {
    case 'none':
      return []
    case 'claims':
      return [paint('yellow', `No new item is claimed: ${hold.why}.`)]
    case 'all':
      return [paint('red', `All agents are stopped: ${hold.why}.`)]
  }
}

function partsTable({ agents, items }: CostTotals): string {
  const rows = [
    ...agents.map(({ agentId, ...sum }) => [agentId, ...figures(sum)]),
    ...items.map(({ projectNumber, itemNumber, ...sum }) => [
      itemNumber === null
        ? `project ${projectNumber}`
        : `#${itemNumber}${projectNumber === 1 ? '' : ` of project ${projectNumber}`}`,
      ...figures(sum),
    ]),
  ]
  return listing(['BY', 'COST', 'CALLS', 'TOKENS IN', 'OUT'], rows)
}

function figures({ costUSD, calls, tokens }: Omit<CostTotals['agents'][number], 'agentId'>): string[] {
  return [usd(costUSD), String(calls), tokens.input.toLocaleString('en'), tokens.output.toLocaleString('en')]
}
