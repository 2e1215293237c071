// Does something again and again: when it is woken, when it asked to be, and now and then in any case. Never twice at once.
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

export interface LoopOptions {
  /** Between two rounds, however often it is woken. */
  readonly restMs: number
  readonly lookMs: number
  readonly clock: Clock
  readonly log: Logger
  /** For the log: what it does. */
  readonly what?: string
}

/** What a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1

export class Loop {
  readonly #options: LoopOptions
  /** Says when it wants to be called next. */
  readonly #round: () => Promise<Date | null>
  #running: Promise<void> | null = null
  #again = false
  #closed = false
  #callOff: () => void = () => undefined
  /** By the clock that only goes forward. */
  #restUntil = 0

  constructor(options: LoopOptions, round: () => Promise<Date | null>) {
    this.#options = options
    this.#round = round
  }

  wake(): void {
    this.#again = true
    if (this.#running !== null || this.#closed) return
    const rest = this.#restUntil - this.#options.clock.elapsedMs()
    if (rest > 0) this.#callIn(rest)
    else this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#callOff()
    await this.#running
  }

  async #run(): Promise<void> {
    this.#again = false
    this.#callOff()
    let wanted: Date | null = null
    try {
      wanted = await this.#round()
    } catch (error) {
      if (!this.#closed) this.#options.log.error({ err: error }, this.#options.what ?? 'notifications')
    }
    this.#running = null
    this.#restUntil = this.#options.clock.elapsedMs() + this.#options.restMs
    if (!this.#closed) this.#schedule(wanted)
  }

  #schedule(wanted: Date | null): void {
    const { restMs, lookMs, clock } = this.#options
    const untilWanted = wanted === null ? lookMs : wanted.getTime() - clock.now().getTime()
    const pause = this.#again ? restMs : Math.max(restMs, Math.min(lookMs, untilWanted))
    this.#callIn(pause)
  }

  #callIn(ms: number): void {
    this.#callOff()
    this.#callOff = this.#options.clock.after(Math.min(TIMER_MS_MAX, ms), () => this.wake())
  }
}
