// Errors of a turn over ACP, by the codes and kinds that programs give.
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import type { EngineOutcome } from '@treadle/contracts/run'
import { messageOf } from '@treadle/flow/fault'
import type { TurnEnd } from '@treadle/flow/ports/engine'
import { outcomeOfStatus } from '../claude-code/classify.ts'

const AUTH_REQUIRED = -32_000

const kinds: Readonly<Record<string, EngineOutcome>> = {
  authentication_failed: 'auth',
  unauthorized: 'auth',
  billing_error: 'billing',
  usage_limit_exceeded: 'billing',
  rate_limit: 'rate_limited',
  overloaded: 'overloaded',
  server_overloaded: 'overloaded',
  server_error: 'overloaded',
  internal_server_error: 'overloaded',
  bad_request: 'invalid',
  invalid_request: 'invalid',
  /** An error of the model's server; which one is not said. */
  apierror: 'network',
  connection_failed: 'network',
  http_connection_failed: 'network',
  response_stream_connection_failed: 'network',
  response_stream_disconnected: 'network',
}

export function failureOf(error: unknown): TurnEnd {
  if (!(error instanceof RequestError)) return { outcome: 'crashed', text: messageOf(error) }
  const text = `${error.message} ${wordsIn(error.data)}`.trim()
  return { outcome: outcomeOf(error), text: text.slice(0, 4_000) }
}

function outcomeOf({ code, data }: RequestError): EngineOutcome {
  const found = factsIn(data)
  if (found.status !== null) return outcomeOfStatus(found.status)
  if (found.kind !== null) return kinds[found.kind] ?? 'network'
  if (code === AUTH_REQUIRED) return 'auth'
  return code >= 400 && code < 600 ? outcomeOfStatus(code) : 'crashed'
}

interface Facts {
  readonly status: number | null
  readonly kind: string | null
}

/** A status, or the name of a kind, wherever in the data it is; never out of the words. */
function factsIn(data: unknown, depth = 0): Facts {
  if (typeof data !== 'object' || data === null || depth > 4) return { status: null, kind: null }
  let kind: string | null = null
  for (const [name, value] of Object.entries(data)) {
    const plain = snake(name)
    if (/^(status|status_code|http_status_code|api_error_status|code)$/.test(plain) && isStatus(value))
      return { status: Number(value), kind: null }
    if (plain in kinds) kind = plain
    if (typeof value === 'string' && snake(value) in kinds) kind = snake(value)
    const inner = factsIn(value, depth + 1)
    if (inner.status !== null) return inner
    kind ??= inner.kind
  }
  return { status: null, kind }
}

const isStatus = (value: unknown) => Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600

const snake = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

function wordsIn(data: unknown): string {
  if (data === undefined || data === null) return ''
  return typeof data === 'string' ? data : JSON.stringify(data)
}

const stops: Readonly<Record<string, EngineOutcome>> = {
  end_turn: 'done',
  /** Cut off in the middle of its words: whatever it was about to do, it has not done. */
  max_tokens: 'max_turns',
  max_turn_requests: 'max_turns',
  refusal: 'refused',
  cancelled: 'interrupted',
}

export interface AcpEndFacts {
  readonly answer: unknown
  readonly text: string
  readonly isInterrupted: boolean
  /** The program said that it failed, but not why. */
  readonly hasFailed: boolean
}

/** Some programs end a turn that failed as if it had been done, and say the truth only beside it. */
export function endOf({ answer, text, isInterrupted, hasFailed }: AcpEndFacts): TurnEnd {
  if (isInterrupted) return { outcome: 'interrupted', text: text || 'The turn was interrupted.' }
  const { stopReason, _meta: meta } = (answer ?? {}) as { stopReason?: unknown; _meta?: unknown }
  const { status, kind } = factsIn(meta)
  if (status !== null) return { outcome: outcomeOfStatus(status), text }
  if (kind !== null) return { outcome: kinds[kind] ?? 'network', text }
  if (hasFailed) return { outcome: 'network', text }
  return { outcome: stops[String(stopReason)] ?? 'crashed', text }
}
