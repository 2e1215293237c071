// Engines that rest: their key or account was refused, and nobody claims for them until that is over.
import type { Item } from '@treadle/contracts/item'

export interface Resting {
  readonly engine: string
  readonly why: string
  readonly until: string
}

/** Engines whose rest is not over. */
export function stillResting(all: Iterable<Resting>, now: number): Resting[] {
  return [...all].filter(({ until }) => Date.parse(until) > now)
}

/** True for an item whose engine rests, its own or the default one; null: no engine rests. */
export function restingRule(
  resting: readonly Resting[],
  byDefault: string,
): ((item: Pick<Item, 'engine'>) => boolean) | null {
  if (resting.length === 0) return null
  const names = new Set(resting.map(({ engine }) => engine))
  return (item) => names.has(item.engine ?? byDefault)
}

export function restingWords({ engine, why, until }: Resting): string {
  return `the engine ${engine} rests until ${until}: ${why}`
}
