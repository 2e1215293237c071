// What a reading has to bring anew: after most events a few items, and not ten thousand of them.
import { STEP_TYPES, type StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import { isQuiet } from './live.model.ts'

export interface Stale {
  /** Items that were named since the last reading. */
  readonly items: readonly ItemRef[] | 'all'
  /** Also what is neither an item, nor an agent, nor money. */
  readonly others: boolean
}

export const FRESH: Stale = { items: [], others: false }
export const ALL_STALE: Stale = { items: 'all', others: true }

/** More are as quickly read with all the others. */
const NAMED_MAX = 50
/** Events of which nobody can say how many items they change. */
const WIDE = /^(order|daemon|recovery|item\.edited)/

export function staleAfter(stale: Stale, events: readonly StoredEvent[]): Stale {
  let { items, others } = stale
  for (const { item, event } of events) {
    if (isQuiet(event)) continue
    others ||= !STEP_TYPES.includes(event.type)
    if (items === 'all' || WIDE.test(event.type)) items = 'all'
    else if (item !== null && !items.some((known) => isSame(known, item))) items = [...items, item]
    if (items.length > NAMED_MAX) items = 'all'
  }
  return { items, others }
}

function isSame(one: ItemRef, other: ItemRef): boolean {
  return one.number === other.number && one.projectNumber === other.projectNumber
}
