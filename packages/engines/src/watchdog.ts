// Notices that an engine has fallen silent.
/** Counts ticks, not time: an agent that was itself frozen must not find its engine stalled when it wakes. */
export class Watchdog {
  readonly #ticksMax: number
  readonly #tickMs: number
  readonly #onStall: () => void
  #timer: NodeJS.Timeout | null = null
  #silent = 0

  constructor(stallMs: number, onStall: () => void) {
    this.#tickMs = Math.min(Math.max(stallMs / 10, 1), 1_000)
    this.#ticksMax = Math.ceil(stallMs / this.#tickMs)
    this.#onStall = onStall
    this.reset()
  }

  reset(): void {
    this.#silent = 0
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs)
  }

  pause(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    this.#silent += 1
    if (this.#silent >= this.#ticksMax) this.#onStall()
  }
}
