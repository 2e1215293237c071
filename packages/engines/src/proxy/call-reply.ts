// What a program hears from the proxy itself: signs of life while its call is held, and the end.
import type { ServerResponse } from 'node:http'
import { errorBody, frame, PING, refuse, SSE } from './api-forms.ts'
import { closingWords } from './closing-words.ts'
import type { ModelCall } from './model-call.ts'

export class CallReply {
  readonly #call: ModelCall
  readonly #response: ServerResponse
  readonly #pingMs: number
  #timer: NodeJS.Timeout | null = null
  #lastMs = performance.now()

  constructor(call: ModelCall, response: ServerResponse, pingMs: number) {
    this.#call = call
    this.#response = response
    this.#pingMs = pingMs
  }

  /** The head has gone out: the provider's status can no longer be told as a status. */
  get hasBegun(): boolean {
    return this.#response.headersSent
  }

  /** Only what we hold is pinged: while the provider itself thinks, its status and its headers must come through. */
  hold(): void {
    // The program counts from its own request: the tries between two holds do not start the clock anew.
    const leftMs = Math.max(0, this.#lastMs + this.#pingMs - performance.now())
    this.#timer ??= setTimeout(() => this.#ping(), leftMs)
  }

  still(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #ping(): void {
    const { isStream, api } = this.#call
    if (!this.hasBegun) this.#response.writeHead(200, isStream ? SSE : { 'content-type': 'application/json' })
    // JSON may begin with white space.
    this.#response.write(isStream ? PING[api] : '\n')
    this.#lastMs = performance.now()
    this.#timer = null
    this.hold()
  }

  fail(status: number, message: string): void {
    this.still()
    const { api, isStream } = this.#call
    if (!this.hasBegun) {
      refuse(this.#response, api, { status, message })
      return
    }
    // Too late for a status. Gemini CLI takes an error as a bare object in the stream and does not call again after a
    // cut; the others do, and that call gets the true answer.
    if (api === 'gemini' && isStream) this.#response.end(JSON.stringify(errorBody(api, status, message)))
    else this.#response.destroy()
  }

  /** A last word that asks for no tool: the turn of every program ends with it, and its conversation stays whole. */
  close(text: string): void {
    this.still()
    const { api, model, isStream, id } = this.#call
    const { whole, events } = closingWords(api, { model, text, id: `end_${id}` })
    if (!this.hasBegun) this.#response.writeHead(200, isStream ? SSE : { 'content-type': 'application/json' })
    if (!isStream) {
      this.#response.end(JSON.stringify(whole))
      return
    }
    const done = api === 'chat' ? 'data: [DONE]\n\n' : ''
    this.#response.end(events.map((event) => frame(api, event)).join('') + done)
  }
}
