// Engines that rest, kept in memory: a new daemon, or a changed setting, may have a better key.
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import type { RestBook } from '@treadle/engines/proxy/rest-book'
import { type Cooldown, cooldownRule, engineNow, stillCooling } from '@treadle/flow/claim/cooldown'

type EnginePair = Pick<Config['engines'], 'default' | 'fallback'>

export class EngineCooldowns {
  readonly #resting = new Map<string, Cooldown>()
  readonly #now: () => Date
  readonly #models: RestBook

  /** `models`: those that rest because of their providers. */
  constructor(now: () => Date, models: RestBook) {
    this.#now = now
    this.#models = models
  }

  begin(resting: Cooldown): void {
    this.#resting.set(resting.engine, resting)
  }

  /** The settings have changed: everyone may try again. */
  clear(): void {
    this.#resting.clear()
    this.#models.clear()
  }

  /** A call of this engine was taken: whatever its provider had is over. */
  goesAgain(engine: string): void {
    if (this.#resting.get(engine)?.triesOne === true) this.#resting.delete(engine)
  }

  list(): Cooldown[] {
    const models = this.#models
      .list()
      .flatMap(({ engines, why, until, model, provider }) =>
        engines.map((engine) => ({ engine, why: `${provider} ${model}: ${why}`, until, triesOne: true })),
      )
    // One line for each engine: the latest end.
    const latest = new Map<string, Cooldown>()
    for (const one of [...models, ...this.#resting.values()]) {
      const known = latest.get(one.engine)
      if (known === undefined || known.until < one.until) latest.set(one.engine, one)
    }
    return stillCooling(latest.values(), this.#now().getTime())
  }

  /** Null: none rests. */
  judge({ default: usual, fallback }: EnginePair): ((item: Pick<Item, 'engine'>) => boolean) | null {
    return cooldownRule(this.list(), { usual, fallback })
  }

  /** Who would build this item now. */
  engineFor(item: Pick<Item, 'engine'>, { default: usual, fallback }: EnginePair): string {
    return engineNow({ asked: item.engine ?? null, usual, fallback, resting: this.list() })
  }

  /** The rest of the engine that would build this item now; null: it can be built. */
  for(item: Pick<Item, 'engine'> | null, { default: usual, fallback }: EnginePair): Cooldown | null {
    const resting = this.list()
    const engine = engineNow({ asked: item?.engine ?? null, usual, fallback, resting })
    return resting.find((each) => each.engine === engine) ?? null
  }
}
