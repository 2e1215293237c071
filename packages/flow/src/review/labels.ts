// The label of an item that reviewer and builder could not agree on.
import type { ItemMove } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { REVIEW_LABEL } from '@treadle/contracts/review'

export function reviewLabels(before: Item, move: ItemMove, state: Item['state']): Partial<Item> {
  const others = before.labels.filter((label) => label !== REVIEW_LABEL)
  if (move.type === 'review.rejected' && state === 'escalated') return { labels: [...others, REVIEW_LABEL] }
  // Whoever takes it up again has decided.
  const isDecided = move.type === 'item.reopened' || move.type === 'review.approved'
  const isOver = isDecided && others.length < before.labels.length
  return isOver ? { labels: others } : {}
}
