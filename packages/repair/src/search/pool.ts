// Hands candidates to child processes and hears one verdict for each; a dead child costs only the one it was at.
import type { FromRunner, Plan, ToRunner, Verdict, WireCandidate } from '../run/protocol.ts'
import { type RunnerPlace, RunnerProcess } from './process.ts'

export type PoolVerdict = Verdict | { readonly is: 'killed' }

export interface PoolOptions {
  readonly place: RunnerPlace
  readonly workers: number
  readonly silenceMs: number
  /** Said to every new process first. */
  readonly greeting: readonly ToRunner[]
}

/** What became of a candidate, and what it took of the processor's time. */
export interface Heard {
  readonly verdict: PoolVerdict
  readonly cpuMs: number
}

export interface PoolRound {
  readonly plan: Plan
  /** The next candidates; an empty list means that there are none for now. */
  next(count: number): readonly WireCandidate[]
  /** Candidates are heard of as they end, in any order. */
  heard(id: number, heard: Heard): void
}

const BATCH = 24
const STARTS_FAILED_MAX = 3
/** The age at which a process makes room for a fresh one, since what candidates leave behind piles up. */
const HEARD_MAX = 4_000

/** The processes stay from round to round. */
export class Pool {
  readonly #options: PoolOptions
  readonly #seats: Seat[]
  #stopped = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#seats = Array.from({ length: options.workers }, () => ({
      runner: null,
      queue: [],
      heard: 0,
      failedStarts: 0,
      onMessage: () => undefined,
    }))
  }

  /** Resolves when there is nothing left to hand out and all is heard, or when stopped. */
  async run(round: PoolRound): Promise<void> {
    await Promise.all(this.#seats.map((seat) => this.#occupy(seat, round)))
  }

  /** Ends all processes for good. */
  stop(): void {
    this.#stopped = true
    for (const seat of this.#seats) seat.runner?.kill()
  }

  async #occupy(seat: Seat, round: PoolRound): Promise<void> {
    while (!this.#stopped && seat.failedStarts < STARTS_FAILED_MAX) {
      if (seat.queue.length === 0) seat.queue.push(...round.next(BATCH))
      if (seat.queue.length === 0) return
      await this.#serve(seat, round)
    }
  }

  /** Until all that was handed out is heard of, or the process is gone. */
  async #serve(seat: Seat, round: PoolRound): Promise<void> {
    if (seat.heard > HEARD_MAX) await this.#retire(seat)
    const done = Promise.withResolvers<void>()
    seat.onMessage = (message) => {
      if (this.#hear(seat, message, round)) done.resolve()
    }
    const runner = seat.runner ?? this.#start(seat)
    runner.send({ is: 'plan', plan: round.plan })
    runner.send({ is: 'try', candidates: seat.queue })
    const isGone = await Promise.race([runner.gone.then(() => true), done.promise.then(() => false)])
    if (!isGone) {
      runner.rest()
      return
    }
    const ready = seat.heard > 0
    seat.runner = null
    seat.heard = 0
    seat.failedStarts = ready ? 0 : seat.failedStarts + 1
    if (this.#stopped || !ready) return
    const culprit = seat.queue.shift()
    if (culprit === undefined) return
    const cpuMs = Math.min(runner.silentMs, this.#options.silenceMs)
    round.heard(culprit.id, { verdict: { is: 'killed' }, cpuMs })
  }

  #start(seat: Seat): RunnerProcess {
    const { place, silenceMs, greeting } = this.#options
    const runner = new RunnerProcess(place, silenceMs, (message) => {
      seat.heard += 1
      seat.onMessage(message)
    })
    seat.runner = runner
    for (const message of greeting) runner.send(message)
    return runner
  }

  async #retire(seat: Seat): Promise<void> {
    seat.runner?.kill()
    await seat.runner?.gone
    seat.runner = null
    seat.heard = 0
  }

  /** Whether nothing is left to be heard. */
  #hear(seat: Seat, message: FromRunner, round: PoolRound): boolean {
    if (message.is !== 'tried') return false
    const at = seat.queue.findIndex((candidate) => candidate.id === message.id)
    if (at >= 0) seat.queue.splice(at, 1)
    round.heard(message.id, message)
    if (this.#stopped || seat.queue.length > BATCH / 3) return false
    const more = round.next(BATCH)
    seat.queue.push(...more)
    if (more.length > 0) seat.runner?.send({ is: 'try', candidates: more })
    return seat.queue.length === 0
  }
}

interface Seat {
  runner: RunnerProcess | null
  /** Handed out and not yet heard of, in order. */
  readonly queue: WireCandidate[]
  /** Messages of this process. */
  heard: number
  failedStarts: number
  onMessage: (message: FromRunner) => void
}
