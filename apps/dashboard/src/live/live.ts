// Keeps the page's knowledge fresh: stream for events, polling for the rest and for when the stream is down.
import { type Client, createClient } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { backoffMs } from './backoff.model.ts'
import { LIVE_START, type LiveState, type News, type Socket, step, troubleOf } from './live.model.ts'
import { openStream } from './stream.ts'

const POLL_MS = 5_000
const SETTLE_MS = 250
const GATHER_MS = 50
const REQUEST_MS_MAX = 10_000
const EVENTS_PER_PAGE = 1_000
const ITEMS_MAX = 5_000

export class Live {
  readonly client: Client
  readonly #url: string
  readonly #token: string
  readonly #listeners = new Set<() => void>()
  #state: LiveState = LIVE_START
  #ended = false
  #failures = 0
  #running: Promise<void> = Promise.resolve()
  #queued: Promise<void> | null = null
  #inbox: StoredEvent[] = []
  #gathering: ReturnType<typeof setTimeout> | undefined
  #settling: ReturnType<typeof setTimeout> | undefined
  #polling: ReturnType<typeof setTimeout> | undefined
  #endStream: (() => void) | null = null

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
    this.client = createClient({ url, token, timeoutMs: REQUEST_MS_MAX })
  }

  readonly get = (): LiveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads everything again; the promise is of a reading that began after the call, and never rejects. */
  refresh(): Promise<void> {
    this.#queued ??= this.#running.then(() => {
      this.#queued = null
      this.#running = this.#read()
      return this.#running
    })
    return this.#queued
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#gathering)
    clearTimeout(this.#settling)
    clearTimeout(this.#polling)
    this.#endStream?.()
  }

  async #read(): Promise<void> {
    if (this.#ended) return
    clearTimeout(this.#polling)
    try {
      const [workspace, agents, items, reviews, questions, conflicts, daily, monthly] = await Promise.all([
        this.client.workspace(),
        this.client.listAgents(),
        this.client.listItems({ query: { limit: ITEMS_MAX } }),
        this.client.listReviews({ query: { status: 'in_review' } }),
        this.client.listQuestions({ query: { status: 'open' } }),
        this.client.conflictQueue(),
        this.client.costTotals({ query: { period: 'daily' } }),
        this.client.costTotals({ query: { period: 'monthly' } }),
        this.#state.socket === 'open' ? undefined : this.#catchUp(),
      ])
      this.#failures = 0
      this.#tell({
        is: 'loaded',
        snapshot: {
          workspace,
          agents: agents.items,
          items: items.items,
          reviews: reviews.items,
          questions: questions.items,
          conflicts: conflicts.items,
          costs: { daily, monthly },
          at: Date.now(),
        },
      })
    } catch (error) {
      this.#fail(error)
    }
    this.#goOn()
  }

  /** Over HTTP: the history at first, and what a broken stream did not bring. */
  async #catchUp(): Promise<void> {
    let full = true
    while (full && !this.#ended) {
      const page = await this.client.events({
        query: { after: this.#state.cursor, limit: EVENTS_PER_PAGE },
      })
      this.#tell({ is: 'heard', events: page.items })
      full = page.items.length === EVENTS_PER_PAGE
    }
  }

  #goOn(): void {
    if (this.#ended) return
    if (this.#state.snapshot) this.#endStream ??= this.#openStream()
    const waitMs = this.#state.snapshot ? POLL_MS : backoffMs(this.#failures, Math.random())
    this.#polling = setTimeout(() => void this.refresh(), waitMs)
  }

  #openStream(): () => void {
    return openStream({
      url: this.#url,
      token: this.#token,
      after: () => {
        this.#takeIn()
        return this.#state.cursor
      },
      onEvent: (event) => {
        this.#inbox.push(event)
        this.#gathering ??= setTimeout(() => this.#takeIn(), GATHER_MS)
      },
      onUnreadable: (error) => this.#fail(error),
      onSocket: (socket: Socket) => {
        this.#tell({ is: 'socket', socket })
        this.#refreshSoon()
      },
    })
  }

  // Drawn together: after an hour away, thousands may come at once.
  #takeIn(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const events = this.#inbox.splice(0)
    if (events.length === 0) return
    this.#tell({ is: 'heard', events })
    this.#refreshSoon()
  }

  // The first of a burst starts the wait: waiting for silence would starve while a busy crew reports.
  #refreshSoon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      void this.refresh()
    }, SETTLE_MS)
  }

  #fail(error: unknown): void {
    this.#failures += 1
    const trouble = troubleOf(error)
    this.#tell({ is: 'failed', trouble })
    // A refused token does not get better by asking again.
    if (trouble.is === 'refused') this.end()
  }

  #tell(news: News): void {
    if (this.#ended) return
    const next = step(this.#state, news)
    if (next === this.#state) return
    this.#state = next
    for (const listener of this.#listeners) listener()
  }
}
