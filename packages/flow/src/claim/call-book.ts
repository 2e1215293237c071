// Which calls of models are under way at once, and who waits for one, in the order in which they asked. One book for a
// crew, held in memory: whoever has a call under way says so again and again, so that a new daemon soon knows as well.
import type { AgentId } from '@treadle/contracts/ids'

/** A call, and the process of the agent that makes it. */
export interface AskedCall {
  readonly id: string
  readonly agentId: AgentId
  readonly pid: number
}

export type CallAnswer =
  | { readonly is: 'go' }
  /** `ahead`: calls that asked before and wait as well. */
  | { readonly is: 'wait'; readonly ahead: number }

/** A call that is not heard of for so long is over: whoever made it says every 30 s that it goes on. */
const SILENT_MS = 120_000
/** Whoever waits asks again at once when it was told to wait; after so long it has gone. */
const ASK_AGAIN_MS = 10_000

interface Known extends AskedCall {
  until: number
}

export class CallBook {
  readonly #now: () => number
  readonly #atOnce: () => number
  readonly #underWay = new Map<string, Known>()
  /** In the order in which they asked. */
  readonly #waiting = new Map<string, Known>()

  constructor(now: () => number, atOnce: () => number) {
    this.#now = now
    this.#atOnce = atOnce
  }

  /** Asked again by the same id while it waits, it keeps its turn; `waitMs`: so long nothing is heard of it. */
  ask(asked: AskedCall, waitMs = 0): CallAnswer {
    this.#forget(asked)
    const now = this.#now()
    if (this.#underWay.has(asked.id)) return this.goesOn(asked)
    this.#waiting.set(asked.id, { ...asked, until: now + waitMs + ASK_AGAIN_MS })
    const ahead = [...this.#waiting.keys()].indexOf(asked.id)
    const free = this.#atOnce() - this.#underWay.size
    if (ahead < free) return this.goesOn(asked)
    return { is: 'wait', ahead: ahead - Math.max(0, free) }
  }

  /** A call that is under way, also one that this book has never heard of. */
  goesOn(asked: AskedCall): CallAnswer {
    this.#waiting.delete(asked.id)
    this.#underWay.set(asked.id, { ...asked, until: this.#now() + SILENT_MS })
    return { is: 'go' }
  }

  /** False: nobody knew of it. */
  end(id: string): boolean {
    const waited = this.#waiting.delete(id)
    return this.#underWay.delete(id) || waited
  }

  /** Ends the calls of processes that are gone; false: there were none. */
  keepOnly(isThere: (asked: AskedCall) => boolean): boolean {
    let ended = false
    for (const each of [...this.#underWay.values(), ...this.#waiting.values()])
      if (!isThere(each)) ended = this.end(each.id) || ended
    return this.#expire() || ended
  }

  counts(): { readonly underWay: number; readonly waiting: number } {
    this.#expire()
    return { underWay: this.#underWay.size, waiting: this.#waiting.size }
  }

  /** What an earlier process of the same agent had under way ended with it. */
  #forget({ agentId, pid }: AskedCall): void {
    this.keepOnly((each) => each.agentId !== agentId || each.pid === pid)
  }

  #expire(): boolean {
    const now = this.#now()
    let ended = false
    for (const known of [this.#underWay, this.#waiting])
      for (const [id, { until }] of known) if (until <= now) ended = known.delete(id) || ended
    return ended
  }
}
