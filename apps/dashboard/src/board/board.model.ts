// The board's groups: which item stands where, in which order, and what it asks of the reader.
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item, ItemStatus } from '@treadle/contracts/item'
import { needsYou } from '../parts/needs-you.model.ts'

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
