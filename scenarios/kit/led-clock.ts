// A clock that a test leads: hours pass at once, and what is due in them is done in its order.
import type { Clock } from '@treadle/daemon/clock'

interface Alarm {
  readonly at: number
  readonly act: () => void
}

export class LedClock implements Clock {
  #ms: number
  readonly #began: number
  #setBy = 0
  readonly #alarms = new Set<Alarm>()

  constructor(start = new Date()) {
    this.#ms = start.getTime()
    this.#began = this.#ms
  }

  now(): Date {
    return new Date(this.#ms + this.#setBy)
  }

  elapsedMs(): number {
    return this.#ms - this.#began
  }

  after(ms: number, act: () => void): () => void {
    const alarm = { at: this.#ms + Math.max(0, ms), act }
    this.#alarms.add(alarm)
    return () => void this.#alarms.delete(alarm)
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

  /** Somebody sets the time: what waits goes on waiting as long as it would have. */
  set(byMs: number): void {
    this.#setBy += byMs
  }

  /** What an alarm sets going may set others; those that fall into the same time ring too. */
  pass(ms: number): void {
    const until = this.#ms + ms
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) {
      this.#alarms.delete(next)
      this.#ms = next.at
      next.act()
    }
    this.#ms = until
  }

  /** Whether an alarm is set that rings after so long, and no sooner. */
  hasAlarmIn(ms: number): boolean {
    return [...this.#alarms].some(({ at }) => at === this.#ms + ms)
  }

  #next(until: number): Alarm | undefined {
    return [...this.#alarms].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0]
  }
}
