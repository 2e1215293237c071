// What one turn has used of a model, and why it is over although its program knows nothing of it.
import type { EngineOutcome } from '@treadle/contracts/run'
import type { TurnEnd, TurnLimits } from '@treadle/flow/ports/engine'
import type { Trouble } from '@treadle/flow/ports/provider-rest'
import { outcomeOfStatus } from '../claude-code/classify.ts'
import type { ModelCall } from './model-call.ts'
import { isLasting } from './provider-answer.ts'

/** Why the proxy has ended a turn. */
export type Ending =
  | { readonly is: 'limit'; readonly outcome: 'max_turns' | 'budget'; readonly text: string }
  /** The provider was waited for as long as is worth it. */
  | { readonly is: 'trouble'; readonly trouble: Trouble; readonly until: string; readonly text: string }
  | { readonly is: 'interrupted'; readonly text: string }

/** What a program may say of a call that was refused. */
const GUESSED: readonly EngineOutcome[] = ['done', 'network', 'crashed', 'rate_limited', 'overloaded']

export class TurnBook {
  readonly #limits: TurnLimits
  readonly #startedMs = performance.now()
  #heldMs = 0
  steps = 0
  usd = 0
  /** A call has gone out: whatever becomes of the turn, it may have to be paid for. */
  hasAsked = false
  ending: Ending | null = null
  /** The status of the last step that the provider answered. */
  #lastStatus: { readonly status: number; readonly text: string } | null = null

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Null: this call may be made. */
  endFor({ isStep }: Pick<ModelCall, 'isStep'>): Ending | null {
    this.ending ??= this.#reached(isStep)
    return this.ending
  }

  #reached(isStep: boolean): Ending | null {
    const { steps, ms, usd } = this.#limits
    if (steps !== undefined && isStep && this.steps >= steps)
      return over('max_turns', `The turn has made ${steps} steps, which is its limit (limits.steps).`)
    const minutes = Math.round((ms ?? 0) / 60_000)
    if (ms !== undefined && performance.now() - this.#startedMs - this.#heldMs >= ms)
      return over('max_turns', `The turn has taken ${minutes} minutes, which is its limit (limits.turnMs).`)
    if (usd !== undefined && this.usd >= usd)
      return over('budget', `The turn has cost $${this.usd.toFixed(2)}, and no more is left for it.`)
    return null
  }

  /** Counted when it begins: two that begin together cannot both be the last. */
  begin({ isStep }: ModelCall): void {
    if (isStep) this.steps += 1
  }

  /** The provider refused the call: no model was asked, and a program's own retries eat no limit. */
  uncount({ isStep }: ModelCall): void {
    if (isStep) this.steps -= 1
  }

  answered({ isStep }: ModelCall, status: number, text: string): void {
    if (isStep) this.#lastStatus = { status, text }
  }

  /** Time in which a call was held is not the program's. */
  held(ms: number): void {
    this.#heldMs += ms
  }

  /** What the turn came to: the proxy has seen it, and a program that was closed, or refused, may say that all is well. */
  judge(told: TurnEnd): TurnEnd {
    const { ending } = this
    const said: TurnEnd = this.hasAsked ? told : { ...told, hasAsked: false }
    if (ending?.is === 'limit') return { ...said, outcome: ending.outcome, text: ending.text }
    if (ending?.is === 'interrupted') return { ...said, outcome: 'interrupted', text: ending.text }
    if (ending?.is === 'trouble')
      return { ...unasked(said), outcome: ending.trouble.cause, text: ending.text, restsUntil: ending.until }
    const last = this.#lastStatus
    // Programs take a refusal for success, or for a line that broke, which would be tried again without end.
    if (last !== null && last.status >= 400 && GUESSED.includes(said.outcome))
      return { outcome: outcomeOf(last), text: last.text }
    return said
  }
}

function unasked({ hasAsked }: TurnEnd): Pick<TurnEnd, 'hasAsked'> {
  return hasAsked === undefined ? {} : { hasAsked }
}

/** A quota that is used up comes as a 429 as well, and waiting does not bring it back. */
function outcomeOf({ status, text }: { readonly status: number; readonly text: string }): EngineOutcome {
  if (status !== 429 || !isLasting(text)) return outcomeOfStatus(status)
  return /too large|too many tokens/i.test(text) ? 'invalid' : 'billing'
}

function over(outcome: 'max_turns' | 'budget', text: string): Ending {
  return { is: 'limit', outcome, text }
}
