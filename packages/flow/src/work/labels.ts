// Labels that follow from an item's state: a conflict, and a disagreement between reviewer and builder.
import { CONFLICT_LABEL } from '@treadle/contracts/conflict'
import type { ItemMove } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { REVIEW_LABEL } from '@treadle/contracts/review'

/** The label of a conflict is there exactly while the item is conflicted. */
export function conflictLabels(state: Item['state'], labels: readonly string[]): string[] {
  const others = labels.filter((label) => label !== CONFLICT_LABEL)
  return state === 'conflicted' ? [...others, CONFLICT_LABEL] : others
}

/** The label of an item that reviewer and builder could not agree on. */
export function reviewLabels(before: Item, move: ItemMove, state: Item['state']): Partial<Item> {
  const others = before.labels.filter((label) => label !== REVIEW_LABEL)
  if (move.type === 'review.rejected' && state === 'escalated') return { labels: [...others, REVIEW_LABEL] }
  // Whoever takes it up again has decided.
  const isDecided = move.type === 'item.reopened' || move.type === 'review.approved'
  const isOver = isDecided && others.length < before.labels.length
  return isOver ? { labels: others } : {}
}
