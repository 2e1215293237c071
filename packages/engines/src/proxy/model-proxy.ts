// The model proxy: one for a session of an engine, in the agent's own process. It has the key, counts every call, holds
// calls while a provider is in trouble, and ends a turn at its limits.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '@treadle/contracts/run'
import { messageOf } from '@treadle/flow/fault'
import type { TurnLimits } from '@treadle/flow/ports/engine'
import type { ModelCalls } from '@treadle/flow/ports/model-calls'
import type { ProviderRest, Trouble } from '@treadle/flow/ports/provider-rest'
import { refuse } from './api-forms.ts'
import { CallReply } from './call-reply.ts'
import {
  type CallMade,
  type Counted,
  closingText,
  ending,
  type Holding,
  isRefusal,
  overOr,
  type Persisted,
  type Sent,
  troubleEnd,
} from './counted-call.ts'
import { callOf, isAllowed, type ModelCall, routeOf } from './model-call.ts'
import { guessed, passOn, readRequest } from './pass-on.ts'
import { headersOf, ProviderLine, troubleIn } from './provider-answer.ts'
import { TurnBook } from './turn-book.ts'
import type { Upstreams } from './upstream.ts'

export interface ProxyOptions {
  /** What the program is given instead of the key. */
  readonly token: string
  readonly upstreams: Upstreams
  readonly rest: ProviderRest
  /** Whom a call waits its turn with; left out: nobody. */
  readonly calls?: ModelCalls | undefined
  /** How long one call is held while a provider is in trouble. */
  readonly holdMs: number
  /** How often a held call hears something; programs give up on silence, the first of them after 60 s. */
  readonly pingMs?: number
  /** Beginnings of the names of models that may be called; null: any that the key opens. */
  readonly models: readonly string[] | null
  /** Waited for before each call. */
  readonly beforeCall?: (() => Promise<void>) | undefined
  priceOf(usage: Omit<Usage, 'usd'>): CallPrice
  onEvent(event: ProxyEvent): void
}

/** What a call is taken to cost. */
export interface CallPrice {
  readonly usd: number
  /** Nobody knows: whoever books it takes what the settings say, and says that it is assumed. */
  readonly assumed?: true
}

export type ProxyEvent =
  | { readonly is: 'used'; readonly usage: Usage }
  /** A provider is in trouble and the call waits for it. */
  | { readonly is: 'resting'; readonly why: string; readonly until: string; readonly forMs: number }
  | { readonly is: 'refused'; readonly why: string }
  /** How many calls are held by us at present: the program's silence is not its own then. */
  | { readonly is: 'holding'; readonly calls: number }

const PING_MS = 45_000
const CALLS_MAX = 8
/** A rest may be over sooner than was thought. */
const ASK_AGAIN_MS = 1_000

export class ModelProxy {
  readonly #options: ProxyOptions
  readonly #line = new ProviderLine()
  readonly #server: Server
  #turn = new TurnBook({})
  #ids = 0
  readonly #removed = new Set<string>()
  #inFlight = 0
  #holding = 0
  readonly #free: (() => void)[] = []
  /** Ends every wait of a call that is held by us. */
  #closing = new AbortController()

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#server = createServer(
      { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 600_000 },
      (incoming, response) => void this.#serve(incoming, response),
    )
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#server.unref()
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** A turn begins; what it comes to is in its book. */
  begin(limits: TurnLimits): TurnBook {
    this.#turn = new TurnBook(limits)
    this.#closing = new AbortController()
    return this.#turn
  }

  /** Ends the turn with a last message, if one of its calls is held and so nothing else is under way; false: none is. */
  finish(text: string): boolean {
    if (this.#holding === 0) return false
    this.#turn.ending ??= { is: 'interrupted', text }
    this.#closing.abort()
    return true
  }

  close(): void {
    this.#closing.abort()
    this.#server.close()
    this.#server.closeAllConnections()
    this.#line.close()
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    incoming.socket.setNoDelay(true)
    try {
      await this.#handle(incoming, response)
    } catch (error) {
      this.#options.onEvent({ is: 'refused', why: `the proxy failed: ${messageOf(error)}` })
      if (response.headersSent) response.destroy()
      else refuse(response, 'anthropic', { status: 502, message: 'The proxy failed.' })
    }
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // Only the path and the query are taken of what was asked, with every `..` resolved before the routes are looked at.
    const url = new URL(incoming.url ?? '/', 'http://proxy')
    const { headers, method = 'GET' } = incoming
    const route = routeOf(method, url.pathname, headers)
    const api = route?.api ?? 'anthropic'
    if (!isAllowed(headers, url, this.#options.token))
      return refuse(response, api, { status: 401, message: 'This token is not known here.' })
    const body = await readRequest(incoming)
    if (body === null) return refuse(response, api, { status: 413, message: 'The request is too large.' })
    const upstream = route === null ? undefined : this.#options.upstreams[route.provider]
    if (route === null || upstream === undefined) {
      this.#options.onEvent({ is: 'refused', why: `${method} ${url.pathname} is not offered` })
      return refuse(response, api, { status: 404, message: 'Not offered here.' })
    }
    const call = callOf({ id: ++this.#ids, api, url, headers, body, upstream })
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    if (!route.isCounted) return this.#passFree(call, method, { response, signal: gone.signal })
    const reply = new CallReply(call, response, this.#options.pingMs ?? PING_MS)
    try {
      await this.#counted({ call, route, upstream, reply, response, gone: gone.signal, underWay: null })
    } finally {
      reply.still()
    }
  }

  async #passFree(
    call: ModelCall,
    method: string,
    { response, signal }: { response: ServerResponse; signal: AbortSignal },
  ): Promise<void> {
    const answer = await this.#line.send(call, method, signal).catch(() => null)
    if (answer === null)
      return refuse(response, call.api, { status: 502, message: 'The provider cannot be reached.' })
    response.writeHead(answer.status, headersOf(answer.message))
    if (answer.first !== null) response.write(answer.first)
    answer.message.pipe(response)
  }

  async #counted(at: Counted): Promise<void> {
    const { call, reply, response } = at
    const turn = this.#turn
    this.#tellRemoved(call)
    const why = this.#whyRefused(call)
    if (why !== null) {
      this.#options.onEvent({ is: 'refused', why })
      turn.answered(call, 400, why)
      return refuse(response, call.api, { status: 400, message: why })
    }
    if (!(await this.#isLetGo(at, turn))) return
    const end = turn.endFor(call)
    if (end !== null) return reply.close(closingText(end))
    turn.begin(call)
    this.#inFlight += 1
    try {
      await this.#made(at, turn)
    } finally {
      at.underWay?.end()
      this.#inFlight -= 1
      this.#free.shift()?.()
    }
  }

  /** Waits for a place, for money and for a pause to end; false: the program has gone. */
  async #isLetGo({ reply, gone }: Counted, turn: TurnBook): Promise<boolean> {
    await this.#held(reply, turn, async () => {
      const ended = ending([gone, this.#closing.signal])
      while (this.#inFlight >= CALLS_MAX && !gone.aborted && !this.#closing.signal.aborted)
        await this.#place(ended)
      await Promise.race([this.#options.beforeCall?.(), ended])
    })
    return !gone.aborted
  }

  /** Waits for a free place. Who waits no longer is not called for one: another would go on waiting for it. */
  async #place(ended: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#free.push(resolve)
    await Promise.race([promise, ended])
    const index = this.#free.indexOf(resolve)
    if (index >= 0) this.#free.splice(index, 1)
  }

  /** Once for each: a program offers the same with every call. */
  #tellRemoved({ removed }: ModelCall): void {
    for (const tool of removed.filter((name) => !this.#removed.has(name))) {
      this.#removed.add(tool)
      this.#options.onEvent({ is: 'refused', why: `${tool} runs at the provider and is not offered here` })
    }
  }

  #whyRefused({ model }: ModelCall): string | null {
    const { models } = this.#options
    if (models !== null && !models.some((name) => model.startsWith(name)))
      return `The model ${model} is not one of engines.allowModels.`
    return null
  }

  async #made(at: Counted, turn: TurnBook): Promise<void> {
    const { call, reply, response } = at
    const startedMs = performance.now()
    const found = await this.#persist(at, turn)
    if (found.is === 'gone' && found.hasAsked)
      return this.#book(at, turn, { counts: guessed(call), startedMs, isAssumed: true })
    if (found.is !== 'answer') turn.uncount(call)
    if (found.is === 'gone') return
    if (found.is === 'over') return reply.close(closingText(found.ending))
    const { answer } = found
    const { counts, text } = await passOn(call, answer, { reply, response })
    turn.answered(call, answer.status, text)
    if (answer.status >= 400) return turn.uncount(call)
    this.#book(at, turn, { counts, startedMs })
  }

  /** Books what a call has cost. Assumed: nobody will hear what it came to, and only what is free is known to be so. */
  #book({ call, route }: Counted, turn: TurnBook, { counts, startedMs, isAssumed = false }: CallMade): void {
    const usage = {
      model: call.model,
      provider: route.provider,
      inputTokens: counts.input,
      outputTokens: counts.output,
      cacheReadTokens: counts.cacheRead,
      cacheWriteTokens: counts.cacheWrite,
      durationMs: performance.now() - startedMs,
    }
    const { usd, assumed } = this.#options.priceOf(usage)
    turn.usd += usd
    const isUnknown = assumed === true || (isAssumed && usd > 0)
    this.#options.onEvent({ is: 'used', usage: { ...usage, usd: isUnknown ? null : usd } })
  }

  /** Sends until the provider takes it, holding the program's call meanwhile. */
  async #persist(at: Counted, turn: TurnBook): Promise<Persisted> {
    const { call, upstream, gone } = at
    const { rest } = this.#options
    const place = { provider: upstream.host, model: call.model }
    const since: { trouble: Trouble | null; ms: number } = { trouble: null, ms: 0 }
    for (;;) {
      const entered = await this.#letOut(at, turn, { place, since })
      if (typeof entered !== 'string') return entered
      const sentAt = new Date()
      turn.hasAsked = true
      const sent = await this.#sent(call, gone)
      if (gone.aborted) {
        if (entered === 'try') await rest.leave(place)
        return { is: 'gone', hasAsked: !isRefusal(sent) }
      }
      if (sent.is === 'answer') {
        await rest.succeeded(place, sentAt)
        return sent
      }
      if (since.ms === 0) since.ms = performance.now()
      since.trouble = sent.trouble
      // A call that rests keeps nobody else's from being made.
      at.underWay?.end()
      at.underWay = null
      await rest.failed(place, sent.trouble)
    }
  }

  /** Waits for the rest of the model to end, and then for its turn among the calls of the crew. */
  async #letOut(at: Counted, turn: TurnBook, held: Holding): Promise<'go' | 'try' | Persisted> {
    const entered = await this.#enter(at, turn, held)
    if (typeof entered !== 'string' || (await this.#hasTurn(at, turn))) return entered
    if (entered === 'try') await this.#options.rest.leave(held.place)
    return overOr(turn.ending, at.gone)
  }

  /** Waits for its turn among the calls of the crew; false: it is not to be made any more. */
  async #hasTurn(at: Counted, turn: TurnBook): Promise<boolean> {
    const { calls } = this.#options
    if (calls === undefined) return true
    const signal = AbortSignal.any([at.gone, this.#closing.signal])
    await this.#held(at.reply, turn, async () => {
      at.underWay = await calls.begin(at.call.model, signal)
    })
    return at.underWay !== null
  }

  async #sent(call: ModelCall, signal: AbortSignal): Promise<Sent> {
    try {
      const answer = await this.#line.send(call, 'POST', signal)
      const trouble = troubleIn(answer)
      if (trouble === null) return { is: 'answer', answer }
      answer.message.destroy()
      return { is: 'trouble', trouble }
    } catch (error) {
      const why = `it cannot be reached (${messageOf(error)})`
      return { is: 'trouble', trouble: { cause: 'network', why, retryAfterMs: 0 } }
    }
  }

  /** Waits for the rest of the model to end, as long as one call is held. */
  async #enter(at: Counted, turn: TurnBook, held: Holding): Promise<'go' | 'try' | Persisted> {
    const { gone } = at
    const { place, since } = held
    const { rest, holdMs, onEvent } = this.#options
    let said = ''
    for (;;) {
      const answer = await rest.ask(place)
      if (gone.aborted) {
        if (answer.is === 'try') await rest.leave(place)
        return { is: 'gone', hasAsked: false }
      }
      if (answer.is !== 'wait') return answer.is
      if (since.ms === 0) since.ms = performance.now()
      const { until, why, forMs } = answer
      const leftMs = since.ms + holdMs - performance.now()
      if (leftMs <= 0 || forMs > leftMs || turn.ending !== null) {
        turn.ending ??= troubleEnd(place, { why, until, trouble: since.trouble })
        return { is: 'over', ending: turn.ending }
      }
      if (said !== until) onEvent({ is: 'resting', why: `${place.provider}: ${why}`, until, forMs })
      said = until
      const ended = AbortSignal.any([gone, this.#closing.signal])
      const waitMs = Math.max(10, Math.min(forMs, ASK_AGAIN_MS, leftMs))
      await this.#held(at.reply, turn, () =>
        sleep(waitMs, undefined, { signal: ended }).catch(() => undefined),
      )
    }
  }

  /** The time in which we hold a call: pinged, and not the program's. */
  async #held(reply: CallReply, turn: TurnBook, wait: () => Promise<unknown>): Promise<void> {
    const startedMs = performance.now()
    reply.hold()
    this.#hold(1)
    try {
      await wait()
    } finally {
      reply.still()
      this.#hold(-1)
      turn.held(performance.now() - startedMs)
    }
  }

  #hold(by: 1 | -1): void {
    this.#holding += by
    this.#options.onEvent({ is: 'holding', calls: this.#holding })
  }
}
