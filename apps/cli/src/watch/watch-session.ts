// What goes on behind the full-screen view: facts that follow the daemon's events, and what the reader's keys bring about.
import { EVENT_STREAM_PATH } from '@treadle/contracts/api'
import { ApiError, type Client, createClient } from '@treadle/contracts/client'
import { CURSOR_START } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { callerName } from '../caller-name.ts'
import type { Running } from '../daemon-process.ts'
import { UserError } from '../user-error.ts'
import { diffText, outputText, type TextOf } from './opened-text.ts'
import { fetchFacts, reviewIn, type WatchFacts } from './watch-facts.ts'
import {
  type Around,
  grown,
  type OpenedText,
  type PressedKey,
  press,
  renewed,
  START,
  type WatchEffect,
  type WatchState,
} from './watch-state.ts'

export interface WatchView {
  readonly state: WatchState
  readonly facts: WatchFacts | null
  readonly isLive: boolean
}

/** The ways to leave the screen; whoever edits comes back. */
export type Left = { readonly is: 'quit' } | { readonly is: 'editor' | 'page'; readonly item: Item }

export interface SessionOptions {
  readonly root: string
  /** The daemon, if one answers. */
  readonly find: () => Promise<Pick<Running, 'url' | 'token' | 'ownerKey'> | null>
}

/** Events that come together are answered by one look. */
const GATHER_MS = 300
const AGAIN_MS = 1_000
/** A look without an event, for whatever has none. */
const LOOK_MS = 15_000

export class WatchSession {
  #view: WatchView = { state: START, facts: null, isLive: false }
  #size: { columns: number; around: Around } = { columns: 80, around: { items: [], rows: 20 } }
  #client: Client | null = null
  #socket: WebSocket | null = null
  #timers = new Set<NodeJS.Timeout>()
  #isLooking = false
  #isDue = false
  #isOver = false
  #leave: ((left: Left) => void) | null = null
  readonly #listeners = new Set<() => void>()
  readonly #options: SessionOptions

  constructor(options: SessionOptions) {
    this.#options = options
  }

  readonly subscribe = (tell: () => void): (() => void) => {
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }
  readonly view = (): WatchView => this.#view

  start(): void {
    void this.#connect()
    const timer = setInterval(() => void this.#look(), LOOK_MS)
    this.#timers.add(timer)
  }

  stop(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#socket?.close()
  }

  /** Resolves when the reader leaves the screen. */
  left(): Promise<Left> {
    return new Promise((done) => {
      this.#leave = done
    })
  }

  leave(left: Left): void {
    this.#leave?.(left)
  }

  /** What is on the screen now, for keys that need to know. */
  drawn(columns: number, around: Around): void {
    this.#size = { columns, around }
  }

  press(key: PressedKey): void {
    const { state, effect } = press(this.#view.state, key, this.#size.around)
    this.#show({ state })
    if (effect !== null) void this.#bringAbout(effect)
  }

  say(message: string): void {
    this.#show({ state: { ...this.#view.state, message } })
  }

  #show(changed: Partial<WatchView>): void {
    this.#view = { ...this.#view, ...changed }
    for (const tell of this.#listeners) tell()
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, ms)
    this.#timers.add(timer)
  }

  async #connect(): Promise<void> {
    if (this.#isOver) return
    const running = await this.#options.find().catch(() => null)
    if (this.#isOver) return
    if (running === null) {
      this.#show({ isLive: false })
      return this.#later(AGAIN_MS, () => void this.#connect())
    }
    const { url, token, ownerKey } = running
    this.#client = createClient({ url, token: ownerKey ?? token })
    await this.#look()
    const after = this.#view.facts?.events.at(-1)?.cursor ?? CURSOR_START
    const address = `${url.replace('http', 'ws')}${EVENT_STREAM_PATH}?after=${after}`
    const socket = new WebSocket(address, ['treadle', `token.${token}`])
    this.#socket = socket
    socket.addEventListener('open', () => this.#show({ isLive: true }))
    socket.addEventListener('message', () => this.#lookSoon())
    socket.addEventListener('error', () => socket.close())
    socket.addEventListener('close', () => {
      this.#show({ isLive: false })
      this.#later(AGAIN_MS, () => void this.#connect())
    })
  }

  #lookSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#later(GATHER_MS, () => {
      this.#isDue = false
      void this.#look()
    })
  }

  async #look(): Promise<void> {
    if (this.#client === null || this.#isOver) return
    if (this.#isLooking) return this.#lookSoon()
    this.#isLooking = true
    try {
      this.#show({ facts: await fetchFacts(this.#client) })
      await this.#goOn()
    } catch (error) {
      // The socket says when the daemon is away; anything else is to be read.
      if (!(error instanceof ApiError && error.code === 'unreachable')) this.say(wordsOf(error))
    } finally {
      this.#isLooking = false
    }
  }

  /** An output that the reader follows grows; what speaks for a change that is read may be known only later. */
  async #goOn(): Promise<void> {
    const { opened } = this.#view.state
    if (opened?.is === 'diff') return this.#lookAtEvidence(opened)
    if (opened?.is !== 'output' || !opened.follows) return
    const lines = await outputText(this.#textOf(opened.item))
    const now = this.#view.state.opened
    if (now?.is !== 'output' || now.item.number !== opened.item.number) return
    this.#show({ state: { ...this.#view.state, opened: grown(now, lines, this.#size.around.rows) } })
  }

  async #lookAtEvidence(opened: OpenedText): Promise<void> {
    const { facts } = this.#view
    const now = facts?.items.find(
      ({ number, projectNumber, headCommit }) =>
        number === opened.item.number &&
        projectNumber === opened.item.projectNumber &&
        headCommit === opened.item.headCommit,
    )
    if (facts === null || now === undefined || now.evidence?.why === opened.item.evidence?.why) return
    const lines = await diffText(this.#textOf(now), reviewIn(facts, now))
    const still = renewed(this.#view.state.opened, now, lines)
    if (still !== null) this.#show({ state: { ...this.#view.state, opened: still } })
  }

  #textOf(item: Item): TextOf {
    const { facts } = this.#view
    if (this.#client === null || facts === null) throw new UserError('The daemon does not answer.')
    const { root } = this.#options
    return { client: this.#client, root, target: facts.workspace.target, item, columns: this.#size.columns }
  }

  async #bringAbout(effect: WatchEffect): Promise<void> {
    try {
      switch (effect.is) {
        case 'quit':
        case 'editor':
        case 'page':
          return this.leave(effect)
        case 'diff':
        case 'output':
          return await this.#open(effect.is, effect.item)
        case 'approve':
          return await this.#approve(effect.item, effect.code)
        case 'changes':
          return await this.#requestChanges(effect.item, effect.text)
      }
    } catch (error) {
      this.say(wordsOf(error))
    }
  }

  async #open(is: OpenedText['is'], item: Item): Promise<void> {
    const given = this.#textOf(item)
    const { facts } = this.#view
    const review = facts === null ? null : reviewIn(facts, item)
    const lines = is === 'diff' ? await diffText(given, review) : await outputText(given)
    const follows = is === 'output'
    const scroll = follows ? Math.max(0, lines.length - this.#size.around.rows) : 0
    this.#show({ state: { ...this.#view.state, opened: { is, item, lines, scroll, follows } } })
  }

  /** Only the change that was on the screen is approved. */
  async #approve(item: Item, code: string | null): Promise<void> {
    const { client } = this.#textOf(item)
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    try {
      const given = code === null ? {} : { code }
      await client.approveItem({ params, body: { by: callerName(), ...readHead(item), ...given } })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'head_moved') return this.#openNewer(item)
      if (!(error instanceof ApiError) || error.code !== 'code_needed') throw error
      const typing = { is: 'code' as const, text: '', item }
      return this.#show({ state: { ...this.#view.state, typing, message: error.message } })
    }
    this.#show({
      state: { ...this.#view.state, opened: null, message: `Approved #${item.number}; it is being merged.` },
    })
    await this.#look()
  }

  async #openNewer(item: Item): Promise<void> {
    const { client } = this.#textOf(item)
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    await this.#open('diff', (await client.showItem({ params })).item)
    this.say('There is a newer delivery: this is it. Read it, then press a.')
  }

  async #requestChanges(item: Item, text: string): Promise<void> {
    const { client } = this.#textOf(item)
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    await client.rejectItem({ params, body: { feedback: text, by: callerName(), ...readHead(item) } })
    this.#show({
      state: { ...this.#view.state, opened: null, message: `Changes requested for #${item.number}.` },
    })
    await this.#look()
  }
}

/** The delivery that was on the screen: only that one is decided about. */
function readHead({ headCommit }: Item): { head?: string } {
  return headCommit === null ? {} : { head: headCommit }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
