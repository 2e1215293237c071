// What is done to several items at once: which of them it fits, and the words that count them.
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import type { Item, ItemState } from '@treadle/contracts/item'
import { canReopen, whyNoPriority, whyNotAssigned } from './columns.model.ts'

export type BulkAction =
  | { readonly is: 'priority'; readonly to: number | null }
  | { readonly is: 'assign'; readonly to: AgentId | null }
  | { readonly is: 'withdraw' }
  | { readonly is: 'reopen' }

export interface BulkSplit {
  readonly fitting: readonly Item[]
  /** One sentence for each that is left as it is. */
  readonly left: readonly string[]
}

const NEVER_WITHDRAWN: readonly ItemState[] = ['done', 'withdrawn', 'merging']

export function splitBulk(items: readonly Item[], action: BulkAction): BulkSplit {
  const fitting: Item[] = []
  const left: string[] = []
  for (const item of items) {
    const why = whyNot(item, action)
    if (why === null) fitting.push(item)
    else left.push(why)
  }
  return { fitting, left }
}

function whyNot(item: Item, action: BulkAction): string | null {
  switch (action.is) {
    case 'priority':
      return whyNoPriority(item)
    case 'assign':
      return whyNotAssigned(item, action.to)
    case 'withdraw':
      return NEVER_WITHDRAWN.includes(item.state) ? `${itemLabel(item)} is ${stateWord(item)}.` : null
    case 'reopen':
      return canReopen(item)
        ? null
        : `${itemLabel(item)} is ${stateWord(item)}, so there is nothing to reopen.`
  }
}

function stateWord({ state }: Item): string {
  return state.replaceAll('_', ' ')
}

export function countWords(count: number): string {
  return count === 1 ? '1 item' : `${count.toLocaleString('en')} items`
}

/** The question before it is done: "Withdraw 3 items?" */
export function bulkTitle(action: BulkAction, count: number): string {
  const items = countWords(count)
  switch (action.is) {
    case 'priority':
      return action.to === null
        ? `Clear the priority of ${items}?`
        : `Set priority ${action.to} for ${items}?`
    case 'assign':
      return action.to === null ? `Leave ${items} to any agent?` : `Assign ${items} to ${action.to}?`
    case 'withdraw':
      return `Withdraw ${items}?`
    case 'reopen':
      return `Reopen ${items}?`
  }
}

export const BULK_WORDS: Record<BulkAction['is'], { readonly yes: string; readonly done: string }> = {
  priority: { yes: 'Set priority', done: 'changed' },
  assign: { yes: 'Assign', done: 'assigned' },
  withdraw: { yes: 'Withdraw', done: 'withdrawn' },
  reopen: { yes: 'Reopen', done: 'reopened' },
}

/** What came of it for one item: "#2 now waits for agent-1." */
export function cameOfOne(item: Item, action: BulkAction): string {
  const label = itemLabel(item)
  switch (action.is) {
    case 'priority':
      return action.to === null
        ? `${label} has no priority any more.`
        : `${label} now has priority ${action.to}.`
    case 'assign':
      return action.to === null ? `${label} is now for any agent.` : `${label} now waits for ${action.to}.`
    default:
      return `${label} was ${BULK_WORDS[action.is].done}.`
  }
}

/** Those of the items that an agent has in hand, and would lose by being assigned: "#2 (agent-1)". */
export function heldIn(items: readonly Item[], action: BulkAction): string[] {
  if (action.is !== 'assign') return []
  return items.flatMap((item) =>
    item.claimedByAgentId === null ? [] : [`${itemLabel(item)} (${item.claimedByAgentId})`],
  )
}

/** What came of it: "2 items withdrawn. 1 was refused: …" */
export function bulkOutcome(action: BulkAction, done: number, failed: readonly string[]): string {
  const said = `${countWords(done)} ${BULK_WORDS[action.is].done}.`
  return failed.length === 0
    ? said
    : `${said} ${countWords(failed.length)} refused: ${failed.slice(0, 3).join(' ')}`
}
