// The branch of an item: where its work starts and what it is merged into.
import type { Item } from '@treadle/contracts/item'

/** The same world with the item's own branch as the target, where it has one. */
export function onTargetOf<W extends { readonly target: string }>(world: W, item: Pick<Item, 'target'>): W {
  return item.target === null ? world : { ...world, target: item.target }
}
