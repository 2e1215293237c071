// The clock of the month: it goes from one thing that is due to the next, and nothing waits in between.
import type { Clock } from '@treadle/daemon/clock'

interface Due {
  readonly at: number
  readonly nth: number
  readonly act: () => Promise<void> | void
}

export class MonthClock implements Clock {
  #ms: number
  #nth = 0
  readonly #began: number
  readonly #due = new Set<Due>()

  constructor(start: Date) {
    this.#ms = start.getTime()
    this.#began = this.#ms
  }

  now(): Date {
    return new Date(this.#ms)
  }

  elapsedMs(): number {
    return this.#ms - this.#began
  }

  after(ms: number, act: () => Promise<void> | void): () => void {
    const due = { at: this.#ms + Math.max(0, ms), nth: ++this.#nth, act }
    this.#due.add(due)
    return () => void this.#due.delete(due)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((done, refuse) => {
      const callOff = this.after(ms, done)
      signal?.addEventListener('abort', () => {
        callOff()
        refuse(signal.reason)
      })
    })
  }

  /** One after the other, each to its end, so that the same seed is the same month. */
  async lead(until: Date): Promise<void> {
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#due.delete(next)
      this.#ms = next.at
      await next.act()
    }
    this.#ms = until.getTime()
  }

  #next(until: Date): Due | undefined {
    let first: Due | undefined
    for (const due of this.#due) {
      if (due.at > until.getTime()) continue
      if (first === undefined || due.at < first.at || (due.at === first.at && due.nth < first.nth))
        first = due
    }
    return first
  }
}
