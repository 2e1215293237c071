// Where those wait who want to hear of one thing, a delivery to review or a reply, without asking again and again.
export class CallList {
  readonly #stopping: AbortSignal
  #called = Promise.withResolvers<void>()

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
    stopping.addEventListener('abort', () => this.call(), { once: true })
  }

  /** It has happened, or may have. */
  call(): void {
    this.#called.resolve()
    this.#called = Promise.withResolvers()
  }

  /** Asked for before looking, so that what happens after the look is heard. */
  ticket(): (ms: number, gone: AbortSignal) => Promise<void> {
    const called = this.#called.promise
    return async (ms, gone) => {
      if (gone.aborted || this.#stopping.aborted) return
      const over = Promise.withResolvers<void>()
      const timer = setTimeout(over.resolve, ms)
      const leave = () => over.resolve()
      gone.addEventListener('abort', leave, { once: true })
      await Promise.race([called, over.promise])
      gone.removeEventListener('abort', leave)
      clearTimeout(timer)
    }
  }
}
