// Insights: money, what was done, how each agent does.
import { usd } from '@treadle/contracts/words/money'
import { paint } from '../output.ts'
import { spendLine } from '../spend-line.ts'
import { listing } from '../terminal/listing.ts'
import type { ScreenSize } from './drawn-row.ts'
import type { WatchFacts } from './watch-facts.ts'

export function insightLines(facts: WatchFacts, { columns }: ScreenSize): string[] {
  const { crew, daily, monthly, items, workspace } = facts
  const done = items.filter(({ state }) => state === 'done')
  const today = new Date().toDateString()
  const now = done.filter(({ updatedAt }) => new Date(updatedAt).toDateString() === today)
  const levels = (['proven', 'supported', 'unproven'] as const).map(
    (level) => `${done.filter(({ evidence }) => evidence?.level === level).length} ${level}`,
  )
  const rows = crew.agents.map(({ agentId, tasksCompleted, costUSD, errorsPerItem }) => [
    agentId,
    String(tasksCompleted.inPeriod),
    usd(costUSD),
    errorsPerItem === null ? '' : errorsPerItem.toFixed(1),
  ])
  return [
    paint('bold', 'Money'),
    ` ${spendLine(daily)}`,
    ` ${spendLine(monthly)}`,
    '',
    paint('bold', 'Done'),
    ` ${now.length} done today · ${done.length} in all · evidence: ${levels.join(', ')}`,
    '',
    paint('bold', 'Agents in the last 7 days'),
    ...(rows.length === 0
      ? [' no agent has done anything yet']
      : listing(['AGENT', 'DONE', 'COST', 'ERRORS/ITEM'], rows, { isTerminal: true, columns: columns - 1 })
          .split('\n')
          .map((line) => ` ${line}`)),
    ...(workspace.holds.length === 0 ? [] : ['', paint('bold', 'Held up')]),
    ...workspace.holds.map((why) => paint('yellow', ` No new item is claimed: ${why}`)),
    ...[...workspace.errors, ...workspace.warnings].map((text) => paint('yellow', ` Settings: ${text}`)),
    '',
    paint('dim', ' More: treadle costs · treadle metrics · treadle lessons · treadle doctor'),
  ]
}
