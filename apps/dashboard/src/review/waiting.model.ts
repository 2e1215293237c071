// Reviews that wait for the reader: which, in what order, and what comes after one.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { seemsDelivered } from '../parts/item-actions.model.ts'

/** Of the items that need a person, those with a delivery to read; the longest waiting first. */
export function waitingReviews(needing: readonly Item[]): Item[] {
  return needing
    .filter((item) => item.state === 'in_review' || (item.state === 'escalated' && seemsDelivered(item)))
    .toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt))
}

export function isSame(one: ItemRef, other: ItemRef): boolean {
  return one.projectNumber === other.projectNumber && one.number === other.number
}

/** The next one in the list, and from its end the first; null if nothing else waits. */
export function nextAfter(waiting: readonly Item[], at: ItemRef): Item | null {
  const index = waiting.findIndex((item) => isSame(item, at))
  const others = [...waiting.slice(index + 1), ...waiting.slice(0, Math.max(0, index))]
  return others.find((item) => !isSame(item, at)) ?? null
}
