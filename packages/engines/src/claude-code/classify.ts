// How a turn of Claude Code ended, by what its result says. Its words are never looked at: they hold addresses and
// numbers of all kinds.
import type { EngineOutcome } from '@treadle/contracts/run'
import type { Result } from './lines.ts'

export interface ClaudeCodeEndFacts {
  readonly result: Pick<Result, 'subtype' | 'is_error' | 'terminal_reason' | 'api_error_status'>
  /** The mark of the turn's last answer. */
  readonly error: unknown
  /** We asked it to end. */
  readonly isInterrupted: boolean
}

const limits: Readonly<Record<string, EngineOutcome>> = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget',
  error_max_structured_output_retries: 'refused',
}

const kinds: Readonly<Record<string, EngineOutcome>> = {
  authentication_failed: 'auth',
  billing_error: 'billing',
  rate_limit: 'rate_limited',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  invalid_request: 'invalid',
}

export function classify({ result, error, isInterrupted }: ClaudeCodeEndFacts): EngineOutcome {
  const limit = limits[result.subtype]
  if (limit !== undefined) return limit
  if (isInterrupted || result.terminal_reason?.startsWith('aborted')) return 'interrupted'
  if (result.subtype === 'error_during_execution') return 'crashed'
  if (!result.is_error) return 'done'
  const status = result.api_error_status ?? null
  const known = typeof error === 'string' ? kinds[error] : undefined
  if (status !== null) return known ?? outcomeOfStatus(status)
  // A key that is not there is refused before anything is asked; everything else without a status is the line.
  return known === 'auth' || known === 'billing' ? known : 'network'
}

/** The outcome of a turn whose model's server has answered with this status. */
export function outcomeOfStatus(status: number): EngineOutcome {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'billing'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'overloaded'
  return 'invalid'
}
