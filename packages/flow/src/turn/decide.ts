// What to do after an engine's turn.
import { type EngineOutcome, WorldOutcome } from '@treadle/contracts/run'

export type TurnChoice =
  | { readonly is: 'verify' }
  | { readonly is: 'again'; readonly afterMs: number }
  | { readonly is: 'fail'; readonly why: string }

export interface TurnFacts {
  readonly outcome: EngineOutcome
  readonly text: string
  /** Faults of the world so far in this phase, this one not counted. */
  readonly faults: number
  readonly faultsMax: number
}

/** These do not mend themselves by waiting. */
const HOPELESS: readonly EngineOutcome[] = ['auth', 'billing', 'invalid']

export function decideTurn({ outcome, text, faults, faultsMax }: TurnFacts): TurnChoice {
  if (outcome === 'done' || outcome === 'max_turns') return { is: 'verify' }
  const broke = WorldOutcome.options.some((option) => option === outcome)
  if (broke && !HOPELESS.includes(outcome) && faults < faultsMax)
    return { is: 'again', afterMs: 1_000 * 2 ** faults }
  return { is: 'fail', why: `engine ended with ${outcome}${text === '' ? '' : `: ${text}`}`.slice(0, 4_000) }
}
