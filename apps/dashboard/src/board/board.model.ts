// What items ask of the reader: which of them wait, and what can be done with each.
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import type { Snapshot } from '../live/live.model.ts'

export function needsYou(item: Item, approval: MergeApproval): boolean {
  if (item.needsHuman || item.state === 'escalated') return true
  return item.state === 'in_review' && approval === 'human'
}

export type Action = 'approve' | 'reopen'

export function actionOf(item: Item): Action | null {
  if (item.state === 'in_review') return 'approve'
  return item.state === 'escalated' || item.state === 'conflicted' ? 'reopen' : null
}

export interface Group {
  readonly id: 'needs_you'
  readonly title: string
  readonly items: readonly Item[]
}

/** The conflict of an item that waits for a person; null: there is none. */
export function conflictOf(item: Item, conflicts: readonly Conflict[]): Conflict | null {
  const found = conflicts.find(
    ({ projectNumber, issueNumber }) => projectNumber === item.projectNumber && issueNumber === item.number,
  )
  return found ?? null
}

/** The group of items that wait for the reader; undefined if none does. */
export function needing({ items, workspace }: Pick<Snapshot, 'items' | 'workspace'>): Group | undefined {
  const { approval } = workspace.config.merge
  const waiting = items.filter((item) => needsYou(item, approval))
  // The longest waiting come first: a new one comes in below, so no button moves under the pointer.
  return waiting.length === 0
    ? undefined
    : { id: 'needs_you', title: 'Needs you', items: waiting.toSorted(longestFirst) }
}

function longestFirst(a: Item, b: Item): number {
  const waited = Date.parse(a.updatedAt) - Date.parse(b.updatedAt)
  return waited || a.projectNumber - b.projectNumber || a.number - b.number
}

/** A text cut at a word, so that its end reads as one. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

const APPROVAL_WORDS: Record<MergeApproval, string> = {
  human: 'Merges wait for your approval',
  reviewer: 'The review agent approves merges',
  checks: 'Merges by standing order when all checks pass',
  never: 'Nothing is merged; branches are only pushed',
}
export function approvalWords(approval: MergeApproval): string {
  return APPROVAL_WORDS[approval]
}
