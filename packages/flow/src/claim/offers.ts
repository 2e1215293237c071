// Offers: which item of the queue an idle agent is told it may take. Held in memory, and only by whoever answers agents.
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'

/** The time to claim what was offered; after that others may be offered it too. */
const OFFER_MS = 1_000

/** Rules for which items can be begun at present. Null: no such rule, every item can. */
export interface OfferLimits {
  /** True for an item that the remaining budget covers. */
  readonly affordable: ((item: Item) => boolean) | null
  /** True for an item whose engine is of no use at present. */
  readonly resting: ((item: Item) => boolean) | null
}

type ItemKey = Pick<Item, 'projectNumber' | 'number'>

export class Offers {
  readonly #open = new Map<string, { readonly to: AgentId; readonly until: number }>()
  /** Agents that found the queue empty; at most `#only` has come since. */
  readonly #emptyFor = new Set<AgentId>()
  #only: ItemRef | null = null
  #news = 0

  /** The number of offers that stand. */
  get size(): number {
    return this.#open.size
  }

  /** A count of what has come; a look at the queue is out of date if this has changed meanwhile. */
  get news(): number {
    return this.#news
  }

  /** Offers an item to an agent, and for a while to nobody else. */
  make(item: ItemKey, to: AgentId, now: number): void {
    this.#open.set(keyOf(item), { to, until: now + OFFER_MS })
  }

  withdraw(item: ItemKey): void {
    this.#open.delete(keyOf(item))
  }

  /** Ends the offers that nobody has taken in time. */
  expire(now: number): void {
    for (const [key, { until }] of this.#open) if (until <= now) this.#open.delete(key)
  }

  /** Notes an item that anybody may have; null: something came that is not for everybody, or nobody knows what. */
  came(item: ItemRef | null): void {
    this.#news += 1
    if (this.#only !== null || item === null) this.#emptyFor.clear()
    this.#only = this.#only === null ? item : null
  }

  /** Notes what an agent has found in the queue, unless something has come since it began to look. */
  looked(id: AgentId, { isEmpty, news }: { readonly isEmpty: boolean; readonly news: number }): void {
    if (news !== this.#news) return
    this.#only = null
    if (isEmpty) this.#emptyFor.add(id)
    else this.#emptyFor.clear()
  }

  /** Takes the one item that has come to a queue this agent found empty: it is the first of it, so nobody has to look. */
  takeOnly(id: AgentId, { affordable, resting }: OfferLimits): ItemRef | null {
    const only = this.#only
    if (only === null || !this.#emptyFor.has(id)) return null
    // Whether the rules allow it is seen only from the whole item.
    if (affordable !== null || resting !== null) return null
    this.#emptyFor.clear()
    this.#only = null
    return only
  }

  /** The items of the queue, in its order, that this agent may be offered. */
  fitting(queue: readonly Item[], id: AgentId, { affordable, resting }: OfferLimits): Item[] {
    return queue.filter(
      (item) =>
        (this.#open.get(keyOf(item))?.to ?? id) === id &&
        (affordable?.(item) ?? true) &&
        !(resting?.(item) ?? false),
    )
  }
}

function keyOf({ projectNumber, number }: ItemKey): string {
  return `${projectNumber}/${number}`
}
