// One after the other, by name. One process writes the documents of a checkout, so its memory is enough for that.

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const mine = before.then(act)
    const settled = mine.catch(() => undefined)
    this.#last.set(name, settled)
    try {
      return await mine
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name)
    }
  }
}
