// What an item will probably cost, from its size and from what earlier ones cost; and which item is affordable.
import type { Item } from '@treadle/contracts/item'
import type { PastItem } from '../../ports/ledger.ts'

/** Fewer say nothing. */
const PAST_MIN = 3
/** However long its text, an item is not taken to be more than this many times dearer or cheaper than usual. */
const FACTOR_MAX = 3

export function sizeOf({ title, body, acceptance }: Pick<Item, 'title' | 'body' | 'acceptance'>): number {
  return title.length + body.length + acceptance.reduce((sum, criterion) => sum + criterion.text.length, 0)
}

/** Null while too little is known. */
export function estimateUSD(size: number, past: readonly PastItem[]): number | null {
  if (past.length < PAST_MIN) return null
  const cost = past.reduce((sum, each) => sum + each.costUSD, 0) / past.length
  const usual = past.reduce((sum, each) => sum + each.size, 0) / past.length
  const factor = usual === 0 ? 1 : size / usual
  return cost * Math.min(FACTOR_MAX, Math.max(1 / FACTOR_MAX, factor))
}

export interface AffordFacts<T> {
  /** In the order of the queue. */
  readonly queue: readonly T[]
  readonly past: readonly PastItem[]
  readonly remainingUSD: number
}

export type Affordable<T> =
  | { readonly is: 'item'; readonly item: T }
  | { readonly is: 'none' }
  /** Something waits, and nothing of it fits into what is left. */
  | { readonly is: 'too_dear'; readonly item: T; readonly estimateUSD: number }

/** The first item that the remaining budget covers; the others are left for better days. */
export function chooseAffordable<T extends Pick<Item, 'title' | 'body' | 'acceptance'>>({
  queue,
  past,
  remainingUSD,
}: AffordFacts<T>): Affordable<T> {
  const [first] = queue
  if (first === undefined) return { is: 'none' }
  const item = queue.find((each) => (estimateUSD(sizeOf(each), past) ?? 0) <= remainingUSD)
  if (item !== undefined) return { is: 'item', item }
  return { is: 'too_dear', item: first, estimateUSD: estimateUSD(sizeOf(first), past) ?? 0 }
}
