// How a provider answers: sent to, heard as far as its first bytes, and known for trouble.
import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Trouble } from '@treadle/flow/ports/provider-rest'
import type { ModelCall } from './model-call.ts'

export interface ProviderAnswer {
  readonly status: number
  readonly message: IncomingMessage
  /** Its first bytes, which are taken from it already. */
  readonly first: Buffer | null
}

const FIRST_CHARS = 2_000

export class ProviderLine {
  readonly #plain = new Agent({ keepAlive: true })
  readonly #secure = new SecureAgent({ keepAlive: true })

  async send(call: ModelCall, method: string, signal: AbortSignal): Promise<ProviderAnswer> {
    const message = await this.#send(call, method, signal)
    return { status: message.statusCode ?? 502, message, first: await firstOf(message) }
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #send(call: ModelCall, method: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, headers, body } = call
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const options = { method, signal, headers: { ...headers, host: url.host, 'content-length': body.length } }
    const out =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, agent: this.#secure }, resolve)
        : request(url, { ...options, agent: this.#plain }, resolve)
    // A connection that was kept and has been closed meanwhile says nothing about the provider.
    out.on('error', (error: NodeJS.ErrnoException) => {
      if (out.reusedSocket && error.code === 'ECONNRESET') resolve(this.#send(call, method, signal))
      else reject(error)
    })
    out.setNoDelay(true)
    out.end(body)
    return promise
  }
}

/** Waits for the first bytes: an overload may come as an event of a stream that said 200. */
async function firstOf(message: IncomingMessage): Promise<Buffer | null> {
  for (;;) {
    const chunk: Buffer | null = message.read()
    if (chunk !== null || message.readableEnded || message.destroyed) return chunk
    const events = ['readable', 'end', 'close'].map((event) => once(message, event))
    await Promise.race(events).catch(() => undefined)
  }
}

const OVERLOADED: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524, 529]
const EARLY =
  /^(?:event: error\n)?data: ?\{[^\n]*"(?:overloaded_error|rate_limit_error|server_is_overloaded|UNAVAILABLE)"/
/** Words of a 429 that does not pass by waiting: it is about money, or about one request. */
const LASTING =
  /insufficient_quota|billing_error|billing_hard_limit|credit balance|request too large|too many tokens in (?:the )?request/i

/** Whether a refusal is about money or one request, whatever its status says. */
export function isLasting(text: string): boolean {
  return LASTING.test(text)
}

/** Null: it is an answer. A 500 may be the fault of one request, and must not send a crew to rest. */
export function troubleIn({ status, message, first }: ProviderAnswer): Trouble | null {
  const text = String(first ?? '').slice(0, FIRST_CHARS)
  const retryAfterMs = retryAfterOf(message.headers)
  if (status === 429 && !LASTING.test(text))
    return { cause: 'rate_limited', why: 'the provider answers 429', retryAfterMs }
  if (OVERLOADED.includes(status))
    return { cause: 'overloaded', why: `the provider answers ${status}`, retryAfterMs }
  if (status === 200 && EARLY.test(text))
    return { cause: 'overloaded', why: 'the provider is overloaded', retryAfterMs }
  return null
}

function retryAfterOf(headers: IncomingMessage['headers']): number {
  const ms = Number(headers['retry-after-ms'])
  if (ms > 0) return ms
  const said = headers['retry-after']
  if (said === undefined) return 0
  const seconds = Number(said)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(said)
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now())
}

export function headersOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const own = /^(?:connection|keep-alive|transfer-encoding|set-cookie)$/
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)))
}
