// Engines that rest: their key or account was refused, and nobody claims for them until that is over.
import type { Item } from '@treadle/contracts/item'

export interface Cooldown {
  readonly engine: string
  readonly why: string
  readonly until: string
}

/** Engines whose rest is not over. */
export function stillCooling(all: Iterable<Cooldown>, now: number): Cooldown[] {
  return [...all].filter(({ until }) => Date.parse(until) > now)
}

/** True for an item whose engine rests, its own or the default one; null: no engine rests. */
export function cooldownRule(
  resting: readonly Cooldown[],
  byDefault: string,
): ((item: Pick<Item, 'engine'>) => boolean) | null {
  if (resting.length === 0) return null
  const names = new Set(resting.map(({ engine }) => engine))
  return (item) => names.has(item.engine ?? byDefault)
}

export function cooldownWords({ engine, why, until }: Cooldown): string {
  return `the engine ${engine} rests until ${until}: ${why}`
}
