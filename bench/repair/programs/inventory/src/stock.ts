export type Item = { sku: string; onHand: number; reserved: number; reorderAt: number; reorderTo: number }

export function available(item: Item): number {
  return item.onHand - item.reserved
}

// How many to order so that the stock is full again, or none while there is enough.
export function toReorder(item: Item, onOrder = 0): number {
  const coming = available(item) + onOrder
  if (coming > item.reorderAt) return 0
  return Math.max(0, item.reorderTo - coming)
}

export function value(items: readonly Item[], prices: ReadonlyMap<string, number>): number {
  return items.reduce((sum, item) => sum + item.onHand * (prices.get(item.sku) ?? 0), 0)
}
