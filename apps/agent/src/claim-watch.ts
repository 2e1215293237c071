// Whether the claim under which the agent works still stands, as far as it has heard.
import { Fault } from '@treadle/flow/fault'

export class ClaimWatch {
  #runId: string | null = null
  #lost = new AbortController()

  get runId(): string | null {
    return this.#runId
  }

  /** From now on this run is meant; the signal aborts when its claim is gone. */
  begin(runId: string): AbortSignal {
    this.#runId = runId
    this.#lost = new AbortController()
    return this.#lost.signal
  }

  /** News of another run, an earlier one say, is no news of this one. */
  lose(runId: string, why: string): void {
    if (runId === this.#runId) this.#lost.abort(new Fault('lost', why))
  }
}
