// Engines that rest, kept in memory: a new daemon, or a changed setting, may have a better key.
import type { Item } from '@treadle/contracts/item'
import { type Cooldown, cooldownRule, stillCooling } from '@treadle/flow/claim/cooldown'

export class EngineCooldowns {
  readonly #resting = new Map<string, Cooldown>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  begin(resting: Cooldown): void {
    this.#resting.set(resting.engine, resting)
  }

  /** The settings have changed: everyone may try again. */
  clear(): void {
    this.#resting.clear()
  }

  list(): Cooldown[] {
    return stillCooling(this.#resting.values(), this.#now().getTime())
  }

  /** Null: none rests. */
  judge(byDefault: string): ((item: Pick<Item, 'engine'>) => boolean) | null {
    return cooldownRule(this.list(), byDefault)
  }

  of(engine: string): Cooldown | null {
    return this.list().find((each) => each.engine === engine) ?? null
  }
}
