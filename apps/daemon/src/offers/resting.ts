// Engines whose key or account was refused. Kept in memory: a new daemon, or a changed setting, may have a better key.
import type { Item } from '@treadle/contracts/item'

export interface Resting {
  readonly engine: string
  readonly why: string
  readonly until: string
}

export class RestingEngines {
  readonly #resting = new Map<string, Resting>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  rest(resting: Resting): void {
    this.#resting.set(resting.engine, resting)
  }

  /** The settings have changed: everyone may try again. */
  clear(): void {
    this.#resting.clear()
  }

  list(): Resting[] {
    const now = this.#now().getTime()
    return [...this.#resting.values()].filter(({ until }) => Date.parse(until) > now)
  }

  /** Null: none rests. */
  judge(byDefault: string): ((item: Pick<Item, 'engine'>) => boolean) | null {
    return this.list().length === 0 ? null : (item) => this.of(item.engine ?? byDefault) !== null
  }

  of(engine: string): Resting | null {
    return this.list().find((each) => each.engine === engine) ?? null
  }
}

export function restingWords({ engine, why, until }: Resting): string {
  return `the engine ${engine} rests until ${until}: ${why}`
}
