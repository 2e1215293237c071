// What a specification is made from is read once and kept until it is written: whoever writes is told the same in each
// try, and is judged by it.
import type { SpecContext } from './spec-context.ts'

/** As many specifications are written at once; of more, the oldest are read again. */
const KEPT_MAX = 20

export class SpecContexts {
  readonly #contexts = new Map<string, SpecContext>()
  readonly #turns = new Map<string, Promise<unknown>>()

  find(slug: string): SpecContext | null {
    return this.#contexts.get(slug) ?? null
  }

  keep(slug: string, context: SpecContext): void {
    this.#contexts.delete(slug)
    this.#contexts.set(slug, context)
    const [oldest] = this.#contexts.keys()
    if (this.#contexts.size > KEPT_MAX && oldest !== undefined) this.#contexts.delete(oldest)
  }

  drop(slug: string): void {
    this.#contexts.delete(slug)
  }

  /** One after the other for each specification: two who write the same files would take each other for a person. */
  inTurn<T>(slug: string, act: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(slug) ?? Promise.resolve()
    const mine = before.then(act, act)
    this.#turns.set(slug, mine)
    return mine.finally(() => {
      if (this.#turns.get(slug) === mine) this.#turns.delete(slug)
    })
  }
}
