// The board's groups: which item stands where, in which order, and what it asks of the reader.
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item, ItemStatus } from '@treadle/contracts/item'
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

export type GroupId = 'needs_you' | ItemStatus
export interface Group {
  readonly id: GroupId
  readonly title: string
  readonly items: readonly Item[]
}

const TITLES: Record<GroupId, string> = {
  needs_you: 'Needs you',
  in_progress: 'In progress',
  in_review: 'In review',
  todo: 'To do',
  backlog: 'Backlog',
  failed: 'Failed',
  done: 'Done',
  withdrawn: 'Withdrawn',
}
const ORDER = Object.keys(TITLES) as GroupId[]

/** An ended group: nothing more happens to its items by itself. */
export function isEnded(id: GroupId): boolean {
  return id === 'failed' || id === 'done' || id === 'withdrawn'
}

/** Groups in the order a reader wants them; those without items are left out. */
export function groupItems(items: readonly Item[], approval: MergeApproval): Group[] {
  const grouped = Map.groupBy(
    items,
    (item): GroupId => (needsYou(item, approval) ? 'needs_you' : item.status),
  )
  return ORDER.flatMap((id) => {
    const members = grouped.get(id)
    return members ? [{ id, title: TITLES[id], items: members.toSorted(orderIn(id)) }] : []
  })
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
  return groupItems(items, workspace.config.merge.approval).find(({ id }) => id === 'needs_you')
}

function orderIn(id: GroupId): (a: Item, b: Item) => number {
  // The longest waiting come first: a new one comes in below, so no button moves under the pointer.
  if (id === 'needs_you') return (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || byNumber(a, b)
  if (isEnded(id)) return (a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || byNumber(a, b)
  if (id === 'todo' || id === 'backlog') {
    return (a, b) =>
      (a.priority ?? Number.MAX_SAFE_INTEGER) - (b.priority ?? Number.MAX_SAFE_INTEGER) || byNumber(a, b)
  }
  return byNumber
}

function byNumber(a: Item, b: Item): number {
  return a.projectNumber - b.projectNumber || a.number - b.number
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
