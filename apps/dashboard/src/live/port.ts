// The page's half of the talk with an editor: requests with ids, pushed events, and what the editor keeps for us.
import type { AlertLevel } from '@treadle/contracts/cost'
import type { Cursor } from '@treadle/contracts/event'
import {
  Addressed,
  FromHost,
  type FromPage,
  type HostCommand,
  Marked,
  WebviewState,
} from '@treadle/contracts/webview'

/** The API that VS Code gives a web view, once. */
export interface EditorApi {
  postMessage(message: unknown): void
  getState(): unknown
  setState(state: unknown): void
}

export type CommandOutcome = { readonly is: 'done' } | { readonly is: 'failed'; readonly why: string }
type Pushed = Extract<FromHost, { is: 'events' | 'socket' }>
type Unmarked<T> = T extends unknown ? Omit<T, 'treadle'> : never
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'treadle' | 'id'> : never
type Answered = Extract<FromHost, { id: number }>

const COMMAND_MS_MAX = 30_000
const SILENT = 'The editor does not answer.'
const NONSENSE = 'The editor answered in a form this page does not know.'
const RELOAD = 'Reload the window of the editor; the page and its host may differ in age.'

export class Port {
  readonly #api: EditorApi
  readonly #pending = new Map<number, (answer: Answered) => void>()
  readonly #listeners = new Set<() => void>()
  #pushed: ((pushed: Pushed) => void) | null = null
  #trouble: string | null = null
  #state: WebviewState
  #last = 0

  constructor(api: EditorApi) {
    this.#api = api
    const kept = WebviewState.safeParse(api.getState())
    this.#state = kept.success ? kept.data : { route: '', kept: {} }
    addEventListener('message', (event) => {
      // Messages of the editor come from the frame around this one alone.
      if (event.source === window.parent) this.#receive(event.data)
    })
  }

  /** A fault that the editor reports, or a message of it that cannot be read; until it is dismissed. */
  readonly trouble = (): string | null => this.#trouble

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly dismiss = (): void => this.#setTrouble(null)

  /** Stands in for `fetch`; the address counts only from its path on. */
  readonly fetch = async (address: URL | string | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(address), 'http://daemon')
    const answer = await this.#ask(
      {
        is: 'request',
        method: init.method === 'POST' ? 'POST' : 'GET',
        path: pathname + search,
        body: typeof init.body === 'string' ? init.body : null,
      },
      init.signal ?? undefined,
    )
    if (answer.is === 'response') return new Response(answer.text, { status: answer.status })
    if (answer.is === 'unreachable') throw new TypeError(answer.why)
    const message = answer.is === 'failed' ? answer.why : NONSENSE
    return Response.json({ error: { code: 'internal', message, hint: RELOAD } }, { status: 502 })
  }

  async command(command: HostCommand): Promise<CommandOutcome> {
    const answer = await this.#ask({ is: 'command', command }, AbortSignal.timeout(COMMAND_MS_MAX))
    if (answer.is === 'done') return { is: 'done' }
    return { is: 'failed', why: answer.is === 'failed' ? answer.why : NONSENSE }
  }

  notify(level: AlertLevel, title: string, text: string): void {
    this.#send({ is: 'notify', level, title: title.slice(0, 500), text: text.slice(0, 4_000) })
  }

  /** Sets the one listener; the next takes its place. */
  listen(after: Cursor, pushed: (pushed: Pushed) => void): () => void {
    this.#pushed = pushed
    this.#send({ is: 'listen', after })
    return () => {
      if (this.#pushed === pushed) this.#pushed = null
    }
  }

  get kept(): WebviewState {
    return this.#state
  }

  keep(state: Partial<WebviewState>): void {
    this.#state = { ...this.#state, ...state }
    this.#api.setState(this.#state)
  }

  #ask(message: Unnumbered<FromPage>, signal?: AbortSignal): Promise<Answered> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      const settle = (answer: Answered) => {
        this.#pending.delete(id)
        signal?.removeEventListener('abort', silent)
        resolve(answer)
      }
      const silent = () => settle({ treadle: 1, is: 'failed', id, why: SILENT })
      this.#pending.set(id, settle)
      signal?.addEventListener('abort', silent)
      this.#send({ ...message, id })
    })
  }

  #send(message: Unmarked<FromPage>): void {
    this.#api.postMessage({ ...message, treadle: 1 })
  }

  #receive(data: unknown): void {
    // Messages of other scripts of the editor come over the same channel.
    if (!Marked.safeParse(data).success) return
    const read = FromHost.safeParse(data)
    if (read.success) this.#take(read.data)
    else this.#unreadable(data)
  }

  #take(message: FromHost): void {
    if (message.is === 'events' || message.is === 'socket') this.#pushed?.(message)
    else if (message.is === 'trouble') this.#setTrouble(message.why)
    else this.#pending.get(message.id)?.(message)
  }

  /** An answer that cannot be read fails its request at once, instead of letting it wait in vain. */
  #unreadable(data: unknown): void {
    const { data: addressed } = Addressed.safeParse(data)
    const waiting = addressed && this.#pending.get(addressed.id)
    if (addressed && waiting) waiting({ treadle: 1, is: 'failed', id: addressed.id, why: NONSENSE })
    else this.#setTrouble(`${NONSENSE} ${RELOAD}`)
  }

  #setTrouble(trouble: string | null): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    for (const listener of this.#listeners) listener()
  }
}
