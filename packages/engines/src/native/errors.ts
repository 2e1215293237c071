// Errors of a provider, by their status and type, never by a number in their text.
import type { EngineOutcome } from '@treadle/contracts/run'
import { messageOf } from '@treadle/flow/fault'
import type { TurnEnd } from '@treadle/flow/ports/engine'
import { z } from 'zod'

/** A wait that is longer is a pause with an end that is known, and no delay. */
const LONG_WAIT_MS = 60_000
const TEXT_MAX = 2_000

export interface CallFault {
  readonly end: TurnEnd
  /** Whether to make the call again may help. */
  readonly mends: boolean
  /** How long the provider wants to be left alone. */
  readonly waitMs: number | null
}

/** Errors come from several libraries; what is not as expected is as if it were not there. */
const word = z.string().optional().catch(undefined)
const Detail = z.looseObject({ type: word, code: word }).optional().catch(undefined)
const ApiError = z.looseObject({
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  data: z.looseObject({ error: Detail, type: word }).optional().catch(undefined),
  type: word,
})

const BY_TYPE: Readonly<Record<string, EngineOutcome>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  billing_error: 'billing',
  insufficient_quota: 'billing',
  rate_limit_error: 'rate_limited',
  overloaded_error: 'overloaded',
  api_error: 'overloaded',
}
const MENDS: readonly EngineOutcome[] = ['rate_limited', 'overloaded', 'network']
/** The one provider that has no type of its own for an empty account says it so. */
const NO_CREDIT = 'credit balance is too low'

export function faultOf(error: unknown, now: Date): CallFault {
  const read = ApiError.safeParse(error)
  const { statusCode, responseHeaders = {}, data, type } = read.success ? read.data : {}
  const said = messageOf(error)
  const types = [data?.error?.type, data?.error?.code, data?.type, type]
  const outcome = outcomeOf(statusCode, types, said)
  const waitMs = waitOf(responseHeaders, now)
  const isLong = outcome === 'rate_limited' && waitMs !== null && waitMs > LONG_WAIT_MS
  const status = statusCode === undefined ? '' : ` (status ${statusCode})`
  return {
    end: {
      outcome,
      text: `The model could not be asked${status}: ${said}`.slice(0, TEXT_MAX),
      ...(isLong ? { wakeAt: new Date(now.getTime() + waitMs).toISOString() } : {}),
    },
    mends: MENDS.includes(outcome) && !isLong,
    waitMs,
  }
}

function outcomeOf(status: number | undefined, types: readonly unknown[], said: string): EngineOutcome {
  const typed = types.flatMap((type) => (typeof type === 'string' ? (BY_TYPE[type] ?? []) : []))
  if (typed.includes('billing') || status === 402) return 'billing'
  if (status === 400 && said.includes(NO_CREDIT)) return 'billing'
  if (status !== undefined) return byStatus(status)
  return typed[0] ?? 'network'
}

function byStatus(status: number): EngineOutcome {
  // All was well until the connection broke.
  if (status < 400) return 'network'
  if (status === 401 || status === 403) return 'auth'
  if (status === 408) return 'network'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'overloaded'
  return 'invalid'
}

/** Seconds, or a date. */
function waitOf(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
