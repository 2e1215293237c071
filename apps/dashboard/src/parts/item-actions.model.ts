// Actions that a person may take on an item in its state, and the words for them.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item, ItemState } from '@treadle/contracts/item'
import { REVIEW_LABEL, type Review } from '@treadle/contracts/review'

export type ItemActionName = 'review' | 'reopen' | 'reassign' | 'release' | 'withdraw' | 'revert'

/** An action that is done where it is offered. A review is not: a change is approved, or sent back, only beside its diff. */
export type OrderName = Exclude<ItemActionName, 'review'>

export type DestructiveName = 'release' | 'withdraw' | 'revert'

const queued = ['reassign', 'withdraw'] as const
const held = ['reassign', 'release', 'withdraw'] as const
const ACTIONS: Record<ItemState, readonly ItemActionName[]> = {
  todo: queued,
  backlog: queued,
  rework: queued,
  claimed: held,
  building: held,
  verifying: held,
  improving: held,
  in_review: ['review', 'withdraw'],
  merging: [],
  conflicted: ['reopen', 'withdraw'],
  escalated: ['review', 'reopen', 'withdraw'],
  withdrawn: ['reopen'],
  done: ['revert'],
}

/** `delivered`: what was refused lies there and can be taken all the same. */
export function actionsOf(
  { state, mergeCommit }: Pick<Item, 'state' | 'mergeCommit'>,
  delivered: boolean,
): readonly ItemActionName[] {
  return ACTIONS[state].filter((name) => {
    if (name === 'revert') return mergeCommit !== null
    return name !== 'review' || state === 'in_review' || delivered
  })
}

/** A destructive action takes something away from somebody: it stands apart, and is asked about first. */
export function isDestructive(name: ItemActionName): name is DestructiveName {
  return name === 'release' || name === 'withdraw' || name === 'revert'
}

/** True if an escalated item has a delivery; the newest review comes first. */
export function isDelivered(item: Item, reviews: readonly Review[]): boolean {
  const [latest] = reviews
  return latest !== undefined && latest.runId === item.runId && latest.headCommit === item.headCommit
}

/** True if an item seems to have a delivery, as far as its own fields tell. */
export function seemsDelivered({ labels, headCommit }: Item): boolean {
  return labels.includes(REVIEW_LABEL) && headCommit !== null
}

interface ActionWords {
  readonly words: string
  readonly busy: string
  /** "#4 could not be …" */
  readonly verb: string
}

export const ACTION_WORDS: Record<OrderName, ActionWords> = {
  reopen: { words: 'Reopen', busy: 'Reopening…', verb: 'reopened' },
  reassign: { words: 'Reassign…', busy: 'Reassigning…', verb: 'reassigned' },
  release: { words: 'Release…', busy: 'Releasing…', verb: 'released' },
  withdraw: { words: 'Withdraw…', busy: 'Withdrawing…', verb: 'withdrawn' },
  revert: { words: 'Revert…', busy: 'Reverting…', verb: 'queued to be reverted' },
}

/** The sentence after an action, from the item that the daemon answers with: of a revert, the one that makes it. */
export function cameOf(name: OrderName, before: Item, after: Pick<Item, 'number' | 'projectNumber'>): string {
  const label = itemLabel(before)
  switch (name) {
    case 'reopen':
      return `${label} is back in the queue.`
    case 'release':
      return `${label} was taken from ${before.claimedByAgentId ?? 'its holder'} and is back in the queue.`
    case 'reassign':
      return `${label} was reassigned.`
    case 'withdraw':
      return `${label} is withdrawn. Reopen puts it back in the queue.`
    case 'revert':
      return `${itemLabel(after)} takes ${label} back. It is checked, reviewed and merged like any other.`
  }
}

export const FEEDBACK_CHARS_MAX = 4_000
