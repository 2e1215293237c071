// Engines that rest, kept in memory: a new daemon, or a changed setting, may have a better key.
import type { Item } from '@treadle/contracts/item'
import { type Resting, restingRule, stillResting } from '@treadle/flow/claim/resting'

export class EngineCooldowns {
  readonly #resting = new Map<string, Resting>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  begin(resting: Resting): void {
    this.#resting.set(resting.engine, resting)
  }

  /** The settings have changed: everyone may try again. */
  clear(): void {
    this.#resting.clear()
  }

  list(): Resting[] {
    return stillResting(this.#resting.values(), this.#now().getTime())
  }

  /** Null: none rests. */
  judge(byDefault: string): ((item: Pick<Item, 'engine'>) => boolean) | null {
    return restingRule(this.list(), byDefault)
  }

  of(engine: string): Resting | null {
    return this.list().find((each) => each.engine === engine) ?? null
  }
}
