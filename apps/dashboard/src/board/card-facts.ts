// What a card says of an item beside its own fields: what it has cost, and what its agent did last.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import type { Item } from '@treadle/contracts/item'
import { useMemo, useRef } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { keyOf } from './columns.model.ts'

export interface CardFacts {
  /** The engine of items that name none. */
  readonly standard: string
  /** What each item has cost this month, by its key. */
  readonly costs: ReadonlyMap<string, number>
}

export function useCardFacts({ workspace, costs: { monthly } }: Snapshot): CardFacts {
  const standard = workspace.config.engines.default
  return useMemo(() => {
    const costs = new Map<string, number>()
    for (const { projectNumber, itemNumber, costUSD } of monthly.items)
      if (itemNumber !== null) costs.set(keyOf({ projectNumber, number: itemNumber }), costUSD)
    return { standard, costs }
  }, [standard, monthly])
}

/** The newest step of each item that an agent holds, in words; the same map as long as nothing in it has changed. */
export function useLastCalls(
  items: readonly Item[],
  events: readonly StoredEvent[],
): ReadonlyMap<string, string> {
  const held = useMemo(
    () => new Set(items.filter((item) => item.claimedByAgentId !== null).map(keyOf)),
    [items],
  )
  const known = useRef<ReadonlyMap<string, string>>(new Map())
  const calls = new Map<string, string>()
  for (const event of events) {
    if (calls.size === held.size) break
    const key = event.item === null ? '' : keyOf(event.item)
    if (!held.has(key) || calls.has(key)) continue
    calls.set(key, sentence(event).text)
  }
  const same =
    calls.size === known.current.size && [...calls].every(([key, said]) => known.current.get(key) === said)
  if (!same) known.current = calls
  return known.current
}
