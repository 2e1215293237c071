// Notices a turn that gets nowhere: the same action over and over, or more steps than it may make.
import type { Observation } from '@treadle/contracts/run'

/** Steps without anything that was not seen before: whoever goes round in circles changes nothing any more. */
const NOTHING_NEW = 4

export type TurnNotice =
  /** Said to the model, which may not know. */
  { readonly is: 'told'; readonly text: string } | { readonly is: 'over'; readonly text: string }

interface WatchLimits {
  /** Null: somebody else sees to it. */
  readonly steps: number | null
  /** The same this often is noticed; twice as often, and the turn is over. */
  readonly stuckAfter: number
}

export class TurnWatch {
  readonly #limits: WatchLimits
  readonly #seen = new Set<string>()
  #last = ''
  #same = 0
  #stale = 0
  #steps = 0

  constructor(limits: WatchLimits) {
    this.#limits = limits
  }

  began(): TurnNotice | null {
    const { steps } = this.#limits
    this.#steps += 1
    if (steps === null || this.#steps <= steps) return null
    return {
      is: 'over',
      text: `The turn has made ${steps} steps, which is its limit (limits.steps).`,
    }
  }

  observed({ tool, input, output, agent = '' }: Observation): TurnNotice | null {
    const { stuckAfter } = this.#limits
    const key = JSON.stringify([agent, tool, input, output])
    this.#same = key === this.#last ? this.#same + 1 : 1
    this.#last = key
    this.#stale = this.#seen.has(key) ? this.#stale + 1 : 0
    this.#seen.add(key)
    if (this.#same === stuckAfter)
      return {
        is: 'told',
        text: `You have used ${tool} ${stuckAfter} times in the same way, with the same result. Try something else, or finish.`,
      }
    if (this.#same >= 2 * stuckAfter) return stuck(`The same was done ${this.#same} times: ${tool}`, input)
    if (this.#stale >= NOTHING_NEW * stuckAfter)
      return stuck(`Nothing new was done or found in ${this.#stale} steps; the last was ${tool}`, input)
    return null
  }
}

const stuck = (what: string, input: string): TurnNotice => ({
  is: 'over',
  text: `The turn got nowhere. ${what} ${input.slice(0, 200)}`.trim(),
})
