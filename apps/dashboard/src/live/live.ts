// Keeps the page's knowledge fresh: stream for events, polling for the rest and for when the stream is down.
import type { Client } from '@treadle/contracts/client'
import { CURSOR_START, type StoredEvent } from '@treadle/contracts/event'
import { backoffMs } from './backoff.model.ts'
import type { CodePrompt } from './code-prompt.ts'
import type { Link } from './daemon-link.ts'
import {
  changesPage,
  LIVE_START,
  type LiveState,
  MILESTONES_MAX,
  type News,
  type Snapshot,
  STEPS_MAX,
  step,
  troubleOf,
} from './live.model.ts'
import { revealAll } from './reveal.model.ts'
import { ALL_STALE, FRESH, type Stale, staleAfter } from './stale.model.ts'

const POLL_MS = 5_000
/** Signs of life and phases come without an event, from each agent's session; one small answer holds them all. */
const SESSIONS_MS = 2_000
const SETTLE_MS = 250
/** Between two readings the page rests this many times as long as the last one took: a big crew must not keep it busy. */
const REST_FACTOR = 4
const GATHER_MS = 50
const EVENTS_PER_PAGE = 1_000
/** Ended items that are read: the newest are enough to see what has become of them. */
const ENDED_MAX = 300
/** While the stream tells what changes, the whole list of items is left alone, the longer the more it takes to read. */
const REST_MS_PER_ITEM = 30

export class Live {
  readonly client: Client
  readonly codes: CodePrompt
  readonly #link: Link
  readonly #listeners = new Set<() => void>()
  readonly #hearers = new Set<(events: readonly StoredEvent[]) => void>()
  #state: LiveState = LIVE_START
  #ended = false
  #failures = 0
  #running: Promise<void> = Promise.resolve()
  #queued: Promise<void> | null = null
  #inbox: StoredEvent[] = []
  #gathering: ReturnType<typeof setTimeout> | undefined
  #settling: ReturnType<typeof setTimeout> | undefined
  #polling: ReturnType<typeof setTimeout> | undefined
  #readMs = 0
  #reading = false
  #readings = 0
  #stale = ALL_STALE
  #boardReadAt = 0
  #asking = false
  readonly #sessions: ReturnType<typeof setInterval>
  #endStream: (() => void) | null = null

  constructor(link: Link) {
    this.#link = link
    this.client = link.client
    this.codes = link.codes
    this.#sessions = setInterval(() => void this.#readSessions(), SESSIONS_MS)
    document.addEventListener('visibilitychange', this.#onSight)
  }

  readonly get = (): LiveState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls with whatever the feed brings, in its order and without a gap; an event may come twice. */
  onHeard(hearer: (events: readonly StoredEvent[]) => void): () => void {
    this.#hearers.add(hearer)
    return () => this.#hearers.delete(hearer)
  }

  /** Reads everything again; the promise is of a reading that began after the call, and never rejects. */
  refresh(): Promise<void> {
    this.#stale = ALL_STALE
    return this.#refresh()
  }

  #refresh(): Promise<void> {
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
    clearInterval(this.#sessions)
    document.removeEventListener('visibilitychange', this.#onSight)
    this.#endStream?.()
  }

  readonly #onSight = (): void => {
    if (!document.hidden) void this.refresh()
  }

  async #readSessions(): Promise<void> {
    // A hidden page needs no news, and a reading of everything that is under way brings them anyway.
    if (document.hidden || this.#asking || this.#reading || this.#state.snapshot === null) return
    this.#asking = true
    const readings = this.#readings
    try {
      const { items } = await this.client.listAgents()
      // A reading that ended meanwhile is newer than this answer.
      if (readings === this.#readings) this.#tell({ is: 'crew', agents: revealAll(items) })
    } catch (error) {
      this.#fail(error)
    }
    this.#asking = false
  }

  async #read(): Promise<void> {
    if (this.#ended) return
    clearTimeout(this.#polling)
    this.#reading = true
    this.#readings += 1
    const began = performance.now()
    const stale = this.#stale
    this.#stale = FRESH
    const caughtUp = this.#state.socket === 'open' ? undefined : this.#catchUp()
    try {
      const [agents, board, daily, monthly, others] = await Promise.all([
        this.client.listAgents(),
        this.#readBoard(stale.items, caughtUp),
        this.client.costTotals({ query: { period: 'daily' } }),
        this.client.costTotals({ query: { period: 'monthly' } }),
        this.#readOthers(stale.others),
        caughtUp,
      ])
      this.#failures = 0
      const read = revealAll({ agents: agents.items, costs: { daily, monthly } })
      this.#tell({ is: 'loaded', snapshot: { ...others, ...read, ...board, at: Date.now() } })
    } catch (error) {
      this.#stale = ALL_STALE
      this.#fail(error)
    }
    this.#reading = false
    this.#readMs = performance.now() - began
    this.#goOn()
  }

  /** Items are read after the feed: so it tells whatever happens to them from then on. */
  async #readBoard(
    stale: Stale['items'],
    caughtUp: Promise<void> | undefined,
  ): Promise<Pick<Snapshot, 'items' | 'leftOut'>> {
    const { snapshot, socket } = this.#state
    const restMs = Math.max(POLL_MS, REST_MS_PER_ITEM * (snapshot?.items.length ?? 0))
    const isYoung = Date.now() - this.#boardReadAt < restMs
    if (snapshot !== null && socket === 'open' && isYoung && stale !== 'all') {
      const { items, leftOut } = snapshot
      if (stale.length === 0) return { items, leftOut }
      // A part of the page that cannot be fetched is no reason to show nothing.
      const part = await import('./named-items.ts').catch(() => null)
      if (part !== null) return { items: await part.readNamed(this.client, items, stale), leftOut }
    }
    await caughtUp
    this.#boardReadAt = Date.now()
    const { items, leftOut } = await this.client.board({ query: { ended: ENDED_MAX } })
    return { items: revealAll(items), leftOut }
  }

  async #readOthers(
    isStale: boolean,
  ): Promise<Pick<Snapshot, 'workspace' | 'reviews' | 'questions' | 'conflicts'>> {
    const { snapshot } = this.#state
    if (snapshot !== null && !isStale) return snapshot
    const [workspace, reviews, questions, conflicts] = await Promise.all([
      this.client.workspace(),
      this.client.listReviews({ query: { status: 'in_review' } }),
      this.client.listQuestions({ query: { status: 'open' } }),
      this.client.conflictQueue(),
    ])
    return {
      ...revealAll({ workspace, reviews: reviews.items, conflicts: conflicts.items }),
      // An option is answered with by its own words, so they must stay as they are.
      questions: questions.items,
    }
  }

  /** Reads events over HTTP: the end of the history at first, then what a broken stream did not bring. */
  async #catchUp(): Promise<void> {
    if (this.#state.cursor === CURSOR_START) {
      const [newest, milestones] = await Promise.all([
        this.client.newestEvents({ query: { limit: MILESTONES_MAX + STEPS_MAX } }),
        this.client.newestEvents({ query: { limit: MILESTONES_MAX, steps: 'false' } }),
      ])
      this.#tell(revealAll({ is: 'history', newest, milestones }))
    }
    let full = true
    while (full && !this.#ended) {
      const page = await this.client.events({
        query: { after: this.#state.cursor, limit: EVENTS_PER_PAGE },
      })
      this.#hear(revealAll(page.items))
      full = page.items.length === EVENTS_PER_PAGE
    }
  }

  #goOn(): void {
    if (this.#ended) return
    if (this.#state.snapshot) this.#endStream ??= this.#openStream()
    const waitMs = this.#state.snapshot ? POLL_MS : backoffMs(this.#failures, Math.random())
    this.#polling = setTimeout(() => {
      this.#stale = { ...this.#stale, others: true }
      void this.#refresh()
    }, waitMs)
  }

  #openStream(): () => void {
    return this.#link.listen({
      after: () => {
        this.#takeIn()
        return this.#state.cursor
      },
      onEvent: (event) => {
        this.#inbox.push(event)
        this.#gathering ??= setTimeout(() => this.#takeIn(), GATHER_MS)
      },
      onUnreadable: (error) => this.#fail(error),
      onSocket: (socket) => {
        this.#tell({ is: 'socket', socket })
        this.#stale = socket === 'open' ? { ...this.#stale, others: true } : ALL_STALE
        this.#refreshSoon()
      },
    })
  }

  // Events are drawn together: after an hour away, thousands may come at once.
  #takeIn(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const events = this.#inbox.splice(0)
    if (events.length === 0) return
    this.#hear(revealAll(events))
    if (changesPage(events)) this.#refreshSoon()
  }

  #hear(events: readonly StoredEvent[]): void {
    this.#stale = staleAfter(this.#stale, events)
    for (const hearer of this.#hearers) hearer(events)
    this.#tell({ is: 'heard', events })
  }

  // The first of a burst starts the wait: waiting for silence would starve while a busy crew reports.
  #refreshSoon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      void this.#refresh()
    }, settleMs(this.#readMs))
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

function settleMs(readMs: number): number {
  return Math.min(POLL_MS, Math.max(SETTLE_MS, REST_FACTOR * readMs))
}
