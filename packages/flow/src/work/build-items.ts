// The items of a build: those made of its tasks, and the one that delivers the whole.
import type { Item } from '@treadle/contracts/item'

/** An item that was made of a task. */
export type TaskItem = Item & { readonly specTask: NonNullable<Item['specTask']> }

export function isTask(item: Item): item is TaskItem {
  return item.build !== null && item.specTask !== null
}

/** The item that brings the whole onto the target. */
export function isDelivery(item: Pick<Item, 'build' | 'specTask'>): boolean {
  return item.build !== null && item.specTask === null
}
