// Whether the claim under which the agent works still stands, as far as it has heard.
import { Fault, messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import { type Home, isAway } from './home.ts'

export class ClaimWatch {
  #runId: string | null = null
  #over = true
  #lost = new AbortController()

  /** The run that is being worked on; null once the agent itself has let go of the item. */
  get runId(): string | null {
    return this.#over ? null : this.#runId
  }

  /** From now on this run is meant; the signal aborts when its claim is gone. */
  begin(runId: string): AbortSignal {
    this.#runId = runId
    this.#over = false
    this.#lost = new AbortController()
    return this.#lost.signal
  }

  /** The agent has said the last word on the item: that the claim has ended is then no news. */
  end(runId: string): void {
    if (runId === this.#runId) this.#over = true
  }

  /** News of another run, an earlier one say, is no news of this one. */
  lose(runId: string, why: string): void {
    if (runId === this.#runId) this.#lost.abort(new Fault('lost', why))
  }
}

export interface ClaimListener {
  readonly watch: ClaimWatch
  readonly home: Home
  readonly clock: Clock
  /** Reports that the daemon has not answered yet: until then its view is behind. */
  readonly pending: () => number
  readonly log: (message: string) => void
}

/** Less than the client's patience. */
const WAIT_MS = 15_000
const AGAIN_MS = 1_000

/** Hears from the daemon at once when the claim of this run is gone; ends with the work on it. */
export async function listenForLoss(listener: ClaimListener, runId: string): Promise<void> {
  const { watch, home, clock, pending, log } = listener
  while (watch.runId === runId) {
    const askedAt = clock.now().getTime()
    try {
      const { stands } = await home.client().watchClaim({ params: { id: runId }, query: { waitMs: WAIT_MS } })
      // A daemon that is full, or about to end, does not hold the question: it is not asked in a loop.
      if (stands && clock.now().getTime() - askedAt > AGAIN_MS) continue
      if (!stands && watch.runId === runId && pending() === 0) return watch.lose(runId, 'the claim has ended')
    } catch (error) {
      if (!isAway(error)) return log(`claim: ${messageOf(error)}`)
    }
    await clock.sleep(AGAIN_MS)
  }
}
