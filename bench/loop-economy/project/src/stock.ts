export type Shelf = { name: string; count: number; least: number }

export function toReorder(shelves: readonly Shelf[]): string[] {
  return shelves.filter(({ count, least }) => count < least).map(({ name }) => name)
}

export function take(shelf: Shelf, count: number): Shelf {
  if (count > shelf.count) throw new RangeError(`${shelf.name}: only ${shelf.count} left`)
  return { ...shelf, count: shelf.count - count }
}

export function refill(shelf: Shelf, count: number): Shelf {
  return { ...shelf, count: shelf.count + count }
}

export function inStock(shelves: readonly Shelf[]): number {
  return shelves.reduce((sum, { count }) => sum + count, 0)
}
