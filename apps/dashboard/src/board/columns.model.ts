// The columns of the board in the order of the flow, who stands where, and what a move from one place to another means.
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import { byQueueOrder, type Item, type ItemState, type RankMove } from '@treadle/contracts/item'

export type ColumnId = 'backlog' | 'todo' | 'building' | 'checking' | 'review' | 'needs_you' | 'done'

export interface Column {
  readonly id: ColumnId
  readonly title: string
  readonly items: readonly Item[]
}

const TITLES: Record<ColumnId, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  building: 'Building',
  checking: 'Checking',
  review: 'Review',
  needs_you: 'Needs you',
  done: 'Done',
}
export const COLUMN_IDS = Object.keys(TITLES) as ColumnId[]
export const columnTitle = (id: ColumnId): string => TITLES[id]

const COLUMN_OF: Record<ItemState, ColumnId> = {
  backlog: 'backlog',
  todo: 'todo',
  rework: 'todo',
  claimed: 'building',
  building: 'building',
  improving: 'building',
  verifying: 'checking',
  in_review: 'review',
  merging: 'review',
  escalated: 'needs_you',
  conflicted: 'needs_you',
  done: 'done',
  withdrawn: 'done',
}

export function columnOf({ state, needsHuman }: Pick<Item, 'state' | 'needsHuman'>): ColumnId {
  return state === 'backlog' && needsHuman ? 'needs_you' : COLUMN_OF[state]
}

/** All columns, also those without items, so that none moves when another is empty. */
export function columnsOf(items: readonly Item[]): Column[] {
  const grouped = Map.groupBy(items, columnOf)
  return COLUMN_IDS.map((id) => ({
    id,
    title: TITLES[id],
    items: (grouped.get(id) ?? []).toSorted(ORDERS[id]),
  }))
}

type Order = (a: Item, b: Item) => number
const oldest: Order = (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || a.number - b.number
const newest: Order = (a, b) => oldest(b, a)
/** As agents claim them: rework before everything else. */
export const byClaimOrder: Order = (a, b) =>
  Number(b.state === 'rework') - Number(a.state === 'rework') || byQueueOrder(a, b)
const ORDERS: Record<ColumnId, Order> = {
  backlog: byQueueOrder,
  todo: byClaimOrder,
  building: oldest,
  checking: oldest,
  review: oldest,
  needs_you: oldest,
  done: newest,
}

/** True in a column whose order is the reader's. */
export function isOrdered(id: ColumnId): boolean {
  return id === 'backlog' || id === 'todo'
}

export type Move =
  | { readonly is: 'rank'; readonly rank: RankMove; readonly words: string }
  | { readonly is: 'reopen' }
  | { readonly is: 'nothing' }
  | { readonly is: 'refused'; readonly why: string }

const refused = (why: string): Move => ({ is: 'refused', why })

/** `items` are those of the column; the moved one is to stand at `index` of them, as they are drawn now. */
export function decideDrop(moved: Item, { id, items }: Pick<Column, 'id' | 'items'>, index: number): Move {
  const from = columnOf(moved)
  if (from !== id) return decideOther(moved, from, id)
  if (!isOrdered(id))
    return refused(
      `${TITLES[id]} has an order of its own: ${FIRST[id] ?? 'whatever waited longest'} is first.`,
    )
  const at = items.findIndex((item) => isSame(item, moved))
  if (index === at || index === at + 1) return { is: 'nothing' }
  const [above, below] = [items[index - 1], items[index]]
  const mate = index > at ? (above ?? below) : (below ?? above)
  if (mate === undefined) return { is: 'nothing' }
  if (moved.state === 'rework' || mate.state === 'rework') return refused(REWORK)
  if (mate.projectNumber !== moved.projectNumber)
    return refused(`${itemLabel(mate)} is of another project. Items are ordered within their own.`)
  const side = mate === above ? 'after' : 'before'
  const taken = mate.priority === moved.priority ? '' : ` and takes its priority, ${mate.priority ?? 'none'}`
  return {
    is: 'rank',
    rank: `${side}:${mate.number}`,
    words: `${itemLabel(moved)} is now ${side} ${itemLabel(mate)}${taken}.`,
  }
}

/** Who is first where it is not whoever waited longest. */
const FIRST: Partial<Record<ColumnId, string>> = { done: 'the latest' }
const REWORK = 'Rework is always picked up first, so it has no place to choose.'

/** By one place up or down. */
export function decideStep(moved: Item, column: Pick<Column, 'id' | 'items'>, by: -1 | 1): Move {
  const at = column.items.findIndex((item) => isSame(item, moved))
  const to = at + by
  if (isOrdered(column.id) && (to < 0 || to >= column.items.length))
    return refused(`${itemLabel(moved)} is already ${by < 0 ? 'first' : 'last'}.`)
  return decideDrop(moved, column, by < 0 ? to : to + 1)
}

function decideOther(moved: Item, from: ColumnId, to: ColumnId): Move {
  const label = itemLabel(moved)
  if (isOrdered(to) && canReopen(moved)) return { is: 'reopen' }
  if (moved.state === 'done') return refused(`${label} is done. Revert it on its own page to undo the merge.`)
  switch (to) {
    case 'backlog':
    case 'todo':
      return refused(whyNotQueued(moved, from))
    case 'building':
      return refused(
        canReopen(moved)
          ? `Agents start work themselves. Drop ${label} on Backlog to reopen it.`
          : `Agents start work themselves. ${isOrdered(from) ? `Put ${label} first, or drop it on an agent.` : ''}`,
      )
    case 'checking':
    case 'review':
      return refused(
        from === 'review' || from === 'needs_you'
          ? `Only an agent's work brings ${label} there.`
          : `${label} gets there when an agent has delivered it.`,
      )
    case 'needs_you':
      return refused('Items come here by themselves when they need a decision from you.')
    case 'done':
      return refused(`${label} is done once it is merged. To drop it, select it and choose Withdraw.`)
  }
}

/** The reason why an item does not go back to those that wait for an agent. */
function whyNotQueued(moved: Item, from: ColumnId): string {
  const label = itemLabel(moved)
  if (isOrdered(from))
    return `Agents pick up from both Backlog and To do, by priority. Move ${label} within its column instead.`
  if (moved.state === 'merging') return `${label} is being merged. Wait until that is over.`
  if (moved.state === 'in_review') return `${label} is in review. Request changes there instead.`
  if (moved.state === 'backlog') return `Agents leave ${label} alone until you have decided about it.`
  return `${label} is being worked on. Release it on its own page to put it back in the queue.`
}

export function canReopen({ state }: Pick<Item, 'state'>): boolean {
  return state === 'escalated' || state === 'conflicted' || state === 'withdrawn'
}

/** Null: it can be given to an agent. */
export function whyNotAssigned(item: Item, to: AgentId | null): string | null {
  const label = itemLabel(item)
  if (to !== null && item.claimedByAgentId === to) return `${to} has ${label} already.`
  const queued = isOrdered(columnOf(item)) || columnOf(item) === 'building' || columnOf(item) === 'checking'
  return queued ? null : `${label} does not wait for an agent.`
}

/** Null: its priority can be set. */
export function whyNoPriority(item: Item): string | null {
  return columnOf(item) === 'done' ? `${itemLabel(item)} is over, and has no place in the queue.` : null
}

function isSame(a: Item, b: Item): boolean {
  return a.number === b.number && a.projectNumber === b.projectNumber
}

export function keyOf({ projectNumber, number }: Pick<Item, 'projectNumber' | 'number'>): string {
  return `${projectNumber}/${number}`
}
