// What to do after an engine's turn.
import { type EngineOutcome, WorldOutcome } from '@treadle/contracts/run'

export type TurnChoice =
  | { readonly is: 'verify' }
  | { readonly is: 'again'; readonly afterMs: number }
  /** A limit of use: it goes on then, and nothing is counted. */
  | { readonly is: 'pause'; readonly until: string; readonly forMs: number }
  /** The key or the account does not work: the item is somebody else's, and later. */
  | { readonly is: 'suspend'; readonly why: string; readonly restsUntil?: string }
  | { readonly is: 'fail'; readonly why: string }

export interface TurnFacts {
  readonly outcome: EngineOutcome
  readonly text: string
  /** Faults of the world so far in this phase, this one not counted. */
  readonly faults: number
  readonly faultsMax: number
  /** When a limit of use ends, where the engine knows. */
  readonly wakeAt?: string | undefined
  /** Its provider was in trouble for as long as a call is held. */
  readonly restsUntil?: string | undefined
  readonly now?: Date
  /** How long an engine rests whose provider names no time. */
  readonly restMs?: number
  /** Limits that were waited for so far. */
  readonly pauses?: number
}

/** These do not mend themselves by waiting. */
const HOPELESS: readonly EngineOutcome[] = ['auth', 'billing', 'invalid']
/** These are no finding about the item: another one would fare the same. */
const REFUSED: readonly EngineOutcome[] = ['auth', 'billing']
/** These are a state of the engine: they pass, and nothing of it is the item's. */
const TROUBLE: readonly EngineOutcome[] = ['rate_limited', 'overloaded', 'network']
/** Limits of use last for hours; whoever names a later end has got the time wrong. */
const PAUSE_MS_MAX = 7 * 24 * 3_600_000
const PAUSES_MAX = 20

export function decideTurn(facts: TurnFacts): TurnChoice {
  const { outcome, text, faults, faultsMax } = facts
  if (outcome === 'done' || outcome === 'max_turns') return { is: 'verify' }
  const why = whyEnded(outcome, text).slice(0, 4_000)
  if (REFUSED.includes(outcome)) return { is: 'suspend', why }
  // Everybody was held already: to try at once would be to hold once more.
  if (facts.restsUntil !== undefined) return { is: 'suspend', why, restsUntil: facts.restsUntil }
  const broke = WorldOutcome.options.some((option) => option === outcome)
  const pause = broke ? pauseFor(facts) : null
  if (pause !== null) return pause
  if (broke && !HOPELESS.includes(outcome) && faults < faultsMax)
    return { is: 'again', afterMs: 1_000 * 2 ** faults }
  if (TROUBLE.includes(outcome)) return { is: 'suspend', why, restsUntil: later(facts) }
  return { is: 'fail', why }
}

/** How an engine ended, for people. */
const ENDED: Readonly<Record<EngineOutcome, string>> = {
  done: 'The engine is done',
  max_turns: 'The engine has used all its turns',
  budget: 'The engine reached its budget',
  interrupted: 'The engine was interrupted',
  refused: 'The engine could not do it',
  rate_limited: 'The engine reached a rate limit',
  overloaded: 'The provider of the engine is overloaded',
  network: 'The engine could not reach its provider',
  auth: 'The key or login of the engine was refused',
  billing: 'The account of the engine has no credit',
  invalid: 'The engine is set up wrongly',
  crashed: 'The engine crashed',
  stalled: 'The engine went silent',
}

function whyEnded(outcome: EngineOutcome, text: string): string {
  // Whoever refuses says why, and nothing is to be added to that.
  if (outcome === 'refused' && text !== '') return text
  return text === '' ? ENDED[outcome] : `${ENDED[outcome]}: ${text}`
}

/** True: the provider itself has asked for a rest. A 500 does not, since it may be the fault of one request. */
export function asksForRest({ outcome, restsUntil }: Pick<TurnFacts, 'outcome' | 'restsUntil'>): boolean {
  if (REFUSED.includes(outcome)) return false
  return restsUntil !== undefined || outcome === 'rate_limited'
}

/** Nobody has named a time. */
function later({ now = new Date(0), restMs = 0 }: TurnFacts): string {
  return new Date(now.getTime() + restMs).toISOString()
}

function pauseFor({ wakeAt, now, pauses = 0 }: TurnFacts): TurnChoice | null {
  if (wakeAt === undefined || now === undefined || pauses >= PAUSES_MAX) return null
  const forMs = Date.parse(wakeAt) - now.getTime()
  return forMs > 0 && forMs <= PAUSE_MS_MAX ? { is: 'pause', until: wakeAt, forMs } : null
}
