// Engines that rest: their key or account was refused, or their provider is in trouble, and nobody claims for them until
// that is over.
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import { timeOfDay } from '@treadle/contracts/words/time'

export interface Cooldown {
  readonly engine: string
  readonly why: string
  readonly until: string
  /** Its provider is in trouble: after the rest one call tries. */
  readonly triesOne?: boolean
}

/** When a rest ends: that of a refused key by the settings, that of a provider in trouble not before it says so. */
export function restEnd(
  { restsUntil }: { readonly restsUntil?: string | undefined },
  now: Date,
  { engineBreakMs, providerRestMsMax }: Pick<Config['limits'], 'engineBreakMs' | 'providerRestMsMax'>,
): string {
  if (restsUntil === undefined) return new Date(now.getTime() + engineBreakMs).toISOString()
  return new Date(Math.max(Date.parse(restsUntil), now.getTime() + providerRestMsMax)).toISOString()
}

interface EngineChoiceFacts {
  /** What the item asks for; null: whatever the settings say. */
  readonly asked: string | null
  readonly usual: string
  /** Who builds while the usual one rests. */
  readonly fallback: string | null
  readonly resting: readonly Pick<Cooldown, 'engine'>[]
}

/** Who builds an item now; an engine that was asked for by name is not replaced. */
export function engineNow({ asked, usual, fallback, resting }: EngineChoiceFacts): string {
  const rests = (name: string) => resting.some(({ engine }) => engine === name)
  if (asked !== null || fallback === null || !rests(usual) || rests(fallback)) return asked ?? usual
  return fallback
}

/** Engines whose rest is not over. */
export function stillCooling(all: Iterable<Cooldown>, now: number): Cooldown[] {
  return [...all].filter(({ until }) => Date.parse(until) > now)
}

/** True for an item whose engine rests, its own or the default one; null: no engine rests. */
export function cooldownRule(
  resting: readonly Cooldown[],
  { usual, fallback }: Pick<EngineChoiceFacts, 'usual' | 'fallback'>,
): ((item: Pick<Item, 'engine'>) => boolean) | null {
  if (resting.length === 0) return null
  const names = new Set(resting.map(({ engine }) => engine))
  return (item) => names.has(engineNow({ asked: item.engine ?? null, usual, fallback, resting }))
}

export function cooldownWords({ engine, why, until, triesOne = false }: Cooldown): string {
  return `the engine ${engine} rests until ${timeOfDay(until)}${triesOne ? ', then tries one' : ''}: ${why}`
}
