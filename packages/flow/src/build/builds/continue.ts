// Whether a build goes on. Each condition keeps the wording of its source: more than 3 failures, over 2 hours.
import { isSpent } from '@treadle/contracts/limit'

export interface ContinueFacts {
  /** Tasks that failed by themselves, and not because of another. */
  readonly failed: number
  /** Of these, one of phase database. */
  readonly databaseFailed: boolean
  readonly workedMs: number
  /** Somebody said stop. */
  readonly stopSignal: boolean
  readonly failuresMax: number
  readonly timeMaxMs: number
}

export type ContinueChoice =
  | { readonly is: 'continue'; readonly reason: 'Continue' }
  | { readonly is: 'failed' | 'stopped'; readonly reason: string }

const HOUR_MS = 3_600_000

export function decideContinue(facts: ContinueFacts): ContinueChoice {
  const { failed, failuresMax, workedMs, timeMaxMs } = facts
  if (isSpent({ max: failuresMax, mode: 'exceeds' }, failed))
    return { is: 'failed', reason: `Too many failures (>${failuresMax})` }
  if (facts.databaseFailed) return { is: 'failed', reason: 'Critical database task failed' }
  if (isSpent({ max: timeMaxMs, mode: 'exceeds' }, workedMs))
    return { is: 'stopped', reason: `Time limit exceeded (${timeWords(timeMaxMs)})` }
  if (facts.stopSignal) return { is: 'stopped', reason: 'Stop signal received' }
  return { is: 'continue', reason: 'Continue' }
}

function timeWords(ms: number): string {
  const hours = ms / HOUR_MS
  if (hours >= 1) return `${Number(hours.toFixed(1))} hour${hours === 1 ? '' : 's'}`
  const minutes = Math.max(1, Math.round(ms / 60_000))
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}
