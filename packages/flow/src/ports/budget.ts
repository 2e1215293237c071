// Money as a turn of an engine needs it: nothing is bought before it is granted, and what it cost is said after.
import type { EngineOutcome, Usage } from '@treadle/contracts/run'

export interface BudgetClient {
  /** Waits until a call may be made; rejects when the work is ended. `stop` is called when no further one may be. */
  begin(engine: string, options: { signal: AbortSignal; stop: () => void }): Promise<Spending>
}

export interface Spending {
  /** A call has ended; the next one may be under way already. */
  used(usage: Usage): void
  /** Why no further call is made for this item, however long one waits; null: none of that kind. */
  over?(): string | null
  /** Resolves when what was told is settled: the next call is granted, or `stop` was called. */
  ready(): Promise<void>
  /** Resolves when all is booked, here or at the daemon. */
  end(outcome: EngineOutcome, hasAsked?: false): Promise<void>
}

export interface TurnOver {
  readonly outcome: EngineOutcome
  /** Calls that the engine told of. */
  readonly calls: number
  /** Whether it asks a model by itself. */
  readonly asksModel: boolean
  /** No call has gone out, which is known for certain. */
  readonly hasAsked?: false | undefined
}

/** The turn ended in the middle of something, which may be a call that is paid for and will not be told of. */
const CUT_OFF: readonly EngineOutcome[] = ['interrupted', 'crashed', 'stalled']
/** The turn ran its course: an engine that told of no call has made some all the same. */
const RAN: readonly EngineOutcome[] = ['done', 'max_turns', 'budget']

/** What becomes of the money that is set aside when a turn is over: free again, or taken to be spent. */
export function decideRest({ outcome, calls, asksModel, hasAsked }: TurnOver): 'release' | 'assume' {
  if (!asksModel || hasAsked === false) return 'release'
  if (CUT_OFF.includes(outcome)) return 'assume'
  return RAN.includes(outcome) && calls === 0 ? 'assume' : 'release'
}
