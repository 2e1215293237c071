// What an agent's tile says of the work in hand: the last call, its last line, and what the item has cost.
import type { Agent } from '@treadle/contracts/agent'
import type { CostTotals } from '@treadle/contracts/cost'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import { usd } from '@treadle/contracts/words/money'

export interface LastCall {
  readonly call: string
  /** The last line of what it answered; empty if it said nothing. */
  readonly line: string
  readonly failed: boolean
}

/** The newest call of the run in hand; `events` come newest first. */
export function lastCallOf({ runId }: Pick<Agent, 'runId'>, events: readonly StoredEvent[]): LastCall | null {
  if (runId === null) return null
  for (const { runId: of, event } of events) {
    if (of !== runId || event.type !== 'run.observed') continue
    const { tool, input, output, success } = event.observation
    return { call: `${tool} ${firstLine(input)}`.trim(), line: lastLine(output), failed: !success }
  }
  return null
}

const LINE_MAX = 300

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, LINE_MAX)
}

function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, LINE_MAX)
}

/** Tokens and money of an item, as far as this month's costs tell; null where nothing was spent. */
export function spentOn(
  item: ItemRef,
  { items }: Pick<CostTotals, 'items'>,
): { tokens: string; money: string } | null {
  const found = items.find(
    ({ projectNumber, itemNumber }) => projectNumber === item.projectNumber && itemNumber === item.number,
  )
  if (found === undefined) return null
  return { tokens: countTokens(found.tokens.input + found.tokens.output), money: usd(found.costUSD) }
}

export function countTokens(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
