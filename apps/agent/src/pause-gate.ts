// Where a pause takes hold: between two phases, when nothing is under way. The supervisor halts the process there.
import type { AgentWanted } from '@treadle/contracts/agent'
import type { Clock } from '@treadle/flow/ports/clock'

/** The agent is halted while it sleeps; awake, it is on its way there or back. */
const ASK_AGAIN_MS = 500

export interface GateDeps {
  readonly clock: Clock
  /** Says that the agent may be halted; resolves to what is wanted of it, null if nobody answers. */
  readonly tell: () => Promise<AgentWanted | null>
  /** Shows the pause to everyone who looks. */
  readonly show: (paused: boolean) => void
}

export class PauseGate {
  readonly #deps: GateDeps
  #paused = false
  #pausing = new AbortController()
  #woken = new AbortController()

  constructor(deps: GateDeps) {
    this.#deps = deps
  }

  /** Aborts as soon as a pause is ordered, so that nobody goes on waiting for work. */
  get pausing(): AbortSignal {
    return this.#pausing.signal
  }

  /** Every answer of the daemon to a sign of life says what is wanted. */
  hear(wanted: AgentWanted): void {
    const paused = wanted === 'paused'
    if (paused === this.#paused) return
    this.#paused = paused
    if (paused) this.#pausing.abort()
    else this.#pausing = new AbortController()
    this.#deps.show(paused)
    this.#woken.abort()
  }

  /** Returns at once, or when the pause is over or the agent is to end. Without an answer the order stands. */
  async checkpoint(signal: AbortSignal): Promise<void> {
    while (this.#paused && !signal.aborted) {
      this.#woken = new AbortController()
      await this.#deps.tell()
      const ended = AbortSignal.any([signal, this.#woken.signal])
      if (this.#paused) await this.#deps.clock.sleep(ASK_AGAIN_MS, ended).catch(() => undefined)
    }
  }
}
