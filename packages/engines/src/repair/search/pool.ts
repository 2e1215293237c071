// Hands candidates to child processes and hears one verdict for each; a dead child costs only the one it was at.
import type { FromRunner, ToRunner, Verdict, WireCandidate } from '../run/protocol.ts'
import { Runner, type RunnerPlace } from './process.ts'

export type PoolVerdict = Verdict | { readonly is: 'killed' }

export interface PoolOptions {
  readonly place: RunnerPlace
  readonly workers: number
  readonly silenceMs: number
  /** Said to every new process first. */
  readonly greeting: readonly ToRunner[]
  /** The next candidates; an empty list means that there are none for now. */
  next(count: number): readonly WireCandidate[]
  heard(id: number, verdict: PoolVerdict): void
}

const BATCH = 24
const STARTS_FAILED_MAX = 3

export class Pool {
  readonly #options: PoolOptions
  readonly #seats: Seat[]
  #stopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#seats = Array.from({ length: options.workers }, () => ({
      runner: null,
      queue: [],
      failedStarts: 0,
    }))
  }

  /** Resolves when there is nothing left to hand out and all is heard, or when stopped. */
  async run(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => this.#occupy(seat)))
  }

  stop(): void {
    this.#stopped = true
    for (const seat of this.#seats) seat.runner?.kill()
  }

  async #occupy(seat: Seat): Promise<void> {
    while (!this.#stopped && seat.failedStarts < STARTS_FAILED_MAX) {
      if (seat.queue.length === 0) seat.queue.push(...this.#options.next(BATCH))
      if (seat.queue.length === 0) return
      await this.#serve(seat)
    }
  }

  /** One life of a child process. */
  async #serve(seat: Seat): Promise<void> {
    let ready = false
    const runner = new Runner(this.#options.place, this.#options.silenceMs, (message) => {
      ready = true
      this.#hear(seat, message)
    })
    seat.runner = runner
    for (const message of this.#options.greeting) runner.send(message)
    runner.send({ is: 'try', candidates: seat.queue })
    await runner.gone
    seat.runner = null
    seat.failedStarts = ready ? 0 : seat.failedStarts + 1
    if (this.#stopped || !ready) return
    const culprit = seat.queue.shift()
    if (culprit !== undefined) this.#options.heard(culprit.id, { is: 'killed' })
  }

  #hear(seat: Seat, message: FromRunner): void {
    if (message.is !== 'tried') return
    const at = seat.queue.findIndex((candidate) => candidate.id === message.id)
    if (at >= 0) seat.queue.splice(at, 1)
    this.#options.heard(message.id, message.verdict)
    if (this.#stopped || seat.queue.length > BATCH / 3) return
    const more = this.#options.next(BATCH)
    seat.queue.push(...more)
    if (more.length > 0) seat.runner?.send({ is: 'try', candidates: more })
    else if (seat.queue.length === 0) seat.runner?.kill()
  }
}

interface Seat {
  runner: Runner | null
  /** Handed out and not yet heard of, in order. */
  readonly queue: WireCandidate[]
  failedStarts: number
}
