// Agents that wait for work, and runs that wait for bad news: each is told the moment it concerns them.
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import { isReviewer } from '@treadle/contracts/review'
import type { ThoughtKind } from '@treadle/contracts/thought'
import { type OfferLimits, Offers } from '@treadle/flow/claim/offers'
import { inTurn } from '@treadle/flow/claim/pass-over'
import { isQueued } from '@treadle/flow/flow'
import { kindsFor } from '@treadle/flow/work/thought-terms'
import type { OpenStore } from '@treadle/store/connect'
import type { Hint } from '@treadle/store/nouns/items/queue-hints'
import { type FilesTaken, NOTHING_TAKEN } from './files.ts'

export interface WaitListDeps {
  readonly store: Pick<OpenStore, 'items' | 'listenToHints'>
  readonly pollMs: () => number
  /** What the remaining budget covers; null: everything. */
  readonly affordable?: () => ((item: Item) => boolean) | null
  /** True: others come first, because it was taken from this agent. */
  readonly passesOver?: (item: Item, id: AgentId) => Promise<boolean>
  /** True: others as urgent come first, because its engine could not serve it. */
  readonly comesLater?: (item: Item, now: number) => Promise<boolean>
  /** Who goes first, because it has the conversation of the item; null: anybody may have it. */
  readonly keptFor?: (item: Item, now: number) => Promise<AgentId | null>
  /** Files that are taken, as far as these items name any. */
  readonly filesTaken?: (looked: Looked, now: number) => Promise<FilesTaken>
  /** Told of an item that would have been offered, if another one had not one of its files. True: it gives the file up. */
  readonly onLocked?: (item: Item, lock: FileLock) => Promise<boolean>
  /** Whose engine is of no use at present; null: all are. */
  readonly coolingDown?: () => ((item: Item) => boolean) | null
  /** True: there is something to think about, for whoever is free. */
  readonly areThoughtsOpen?: () => Promise<boolean>
  readonly stopping: AbortSignal
}

/** Whoever waits longer in vain asks again; more than this would be no crew of ours. */
const WAITING_MAX = 1_000
/** How much further to look each time, for an item that the remaining budget covers and whose engine is there. */
const LOOK_AHEAD = 50
/** How often a run that waits is looked at though nobody has called; a call is lost only with its connection. */
const RUN_LOOK_MS = 5_000
/** Picks that lost their item to another pick of the same moment. */
const PICKS_MAX = 5

interface Waiting {
  /** Resolves at the next call, also at one that came before anybody waited for it. */
  called: PromiseWithResolvers<void>
}

interface Look {
  readonly everyMs: () => number
  readonly isWorthIt: () => Promise<boolean>
}

/** The items of the queue that may be offered, and those that somebody else was just offered. */
interface Looked {
  readonly queue: readonly Item[]
  readonly offered: readonly Item[]
}

interface Judging {
  readonly files: FilesTaken
  readonly id: AgentId
  readonly now: number
}

type Judged = { readonly is: 'free' | 'locked' | 'passed' } | { readonly is: 'kept'; readonly for: AgentId }

interface FirstTwo {
  readonly free: readonly Item[]
  /** May be had if nothing else can. */
  readonly later: readonly Item[]
  /** How many this one may not have. */
  readonly passed: number
  /** How many nobody may have, because their files are taken. */
  readonly locked: number
  /** Those who go first with items that this one leaves to them. */
  readonly holders: readonly AgentId[]
}

export interface WaitListEntry {
  /** Resolves when there may be something new, or when it is time to look anyway. */
  called(ms: number, gone: AbortSignal): Promise<void>
  leave(): void
}

export class WaitList {
  readonly deps: WaitListDeps
  readonly #agents = new Map<AgentId, Waiting>()
  readonly #runs = new Map<string, Set<Waiting>>()
  #looked: { readonly at: number; readonly found: Promise<boolean> } | null = null
  readonly #offers = new Offers()

  constructor(deps: WaitListDeps) {
    this.deps = deps
    deps.store.listenToHints((hint) => this.#heard(hint))
    deps.stopping.addEventListener('abort', () => this.#callAll(), { once: true })
  }

  #heard(hint: Hint): void {
    if (hint.is === 'wanted') this.#agents.get(hint.agentId)?.called.resolve()
    if (hint.is === 'missed') {
      this.#offers.came(null)
      this.#callAll()
    }
    if (hint.is === 'guided') this.#callRun(hint.runId)
    // One thought, one call.
    if (hint.is === 'thought') this.#callForThoughts(hint.kinds)
    if (hint.is === 'free') this.#cameFree(hint)
  }

  #cameFree(hint: Extract<Hint, { is: 'free' }>): void {
    this.#callRun(hint.runId ?? '')
    this.#offers.withdraw(hint.item)
    if (!isQueued(hint.state) && hint.state !== 'done' && !hint.isOfBuild) return
    // What is done may have been what others waited for, and what was left may have had their files.
    const isFirst = hint.runId === null && hint.keptFor === null && !hint.depends && isQueued(hint.state)
    this.#offers.came(isFirst ? hint.item : null)
    // One item, one call: the others would only find that it is gone.
    this.#callFor(hint.keptFor)
  }

  /** What held everybody up is over. */
  callEverybody(): void {
    this.#offers.came(null)
    this.#callAll()
  }

  /** A later request of the same agent takes the place of an earlier one. Null: the room is full. */
  enterAgent(id: AgentId): WaitListEntry | null {
    if (this.#agents.size >= WAITING_MAX) return null
    this.#agents.get(id)?.called.resolve()
    const waiting: Waiting = { called: Promise.withResolvers() }
    // Who comes later stands further back.
    this.#agents.delete(id)
    this.#agents.set(id, waiting)
    return this.#place(
      waiting,
      () => {
        if (this.#agents.get(id) === waiting) this.#agents.delete(id)
      },
      { everyMs: () => this.deps.pollMs(), isWorthIt: () => this.#isWorkThere(id) },
    )
  }

  enterRun(runId: string): WaitListEntry | null {
    const others = this.#runs.get(runId) ?? new Set()
    if (this.#runs.size >= WAITING_MAX || others.size >= WAITING_MAX) return null
    const waiting: Waiting = { called: Promise.withResolvers() }
    this.#runs.set(runId, others.add(waiting))
    return this.#place(
      waiting,
      () => {
        others.delete(waiting)
        if (others.size === 0) this.#runs.delete(runId)
      },
      { everyMs: () => Math.max(RUN_LOOK_MS, this.deps.pollMs()), isWorthIt: async () => true },
    )
  }

  /** The first of the queue that is not just being offered to somebody else. */
  async pick(id: AgentId, now: number): Promise<ItemRef | null> {
    const only = this.#offers.takeOnly(id, this.#limits())
    if (only === null) return this.#look(id, now)
    this.#offers.make(only, id, now)
    return only
  }

  async #look(id: AgentId, now: number): Promise<ItemRef | null> {
    let passed = 0
    let locked = 0
    let ahead = 0
    let holders: readonly AgentId[] = []
    for (let picks = 0; picks < PICKS_MAX; picks += 1) {
      this.#offers.expire(now)
      const limit = this.#offers.size + passed + locked + holders.length + 2 + ahead
      const { queue, fitting } = await this.#queueFor(id, limit)
      const offered = queue.filter((item) => !fitting.includes(item))
      const found = await this.#firstTwo({ queue: fitting, offered }, id, now)
      passed = found.passed
      locked = found.locked
      holders = found.holders
      const isAll = queue.length < limit || picks === PICKS_MAX - 1
      const [first, another] = isAll ? [...found.free, ...found.later] : found.free
      if (first !== undefined) {
        this.#offers.make(first, id, now)
        // Several may have come with one call, or calls may have been lost.
        if (another !== undefined) this.#callOne(id)
        return { projectNumber: first.projectNumber, number: first.number }
      }
      if (queue.length < limit) break
      // Too dear, resting, or another's: what fits may stand further back.
      ahead += LOOK_AHEAD
    }
    // What this one may not have is news for another.
    if (passed > 0) this.#callOne(id)
    // Who is at work asks when it is done; until then nobody has to hear of it.
    for (const holder of holders) this.#agents.get(holder)?.called.resolve()
    return null
  }

  async #queueFor(id: AgentId, limit: number): Promise<{ queue: Item[]; fitting: Item[] }> {
    const { news } = this.#offers
    const queue = await this.deps.store.items.queue(limit, id)
    this.#offers.looked(id, { isEmpty: queue.length === 0, news })
    return { queue, fitting: this.#offers.fitting(queue, id, this.#limits()) }
  }

  #limits(): OfferLimits {
    return { affordable: this.deps.affordable?.() ?? null, resting: this.deps.coolingDown?.() ?? null }
  }

  async #firstTwo(looked: Looked, id: AgentId, now: number): Promise<FirstTwo> {
    const queue: { item: Item; isLater: boolean }[] = []
    const holders: AgentId[] = []
    let passed = 0
    let free = 0
    let locked = 0
    const files = (await this.deps.filesTaken?.(looked, now)) ?? NOTHING_TAKEN
    for (const item of looked.queue) {
      if (free === 2) break
      const found = await this.#judge(item, { files, id, now })
      if (found.is === 'locked') locked += 1
      if (found.is === 'passed') passed += 1
      if (found.is === 'kept') holders.push(found.for)
      if (found.is !== 'free') continue
      const isLater = files.comesLater(item) || (await this.#comesLater(item, now))
      if (!isLater) free += 1
      queue.push({ item, isLater })
    }
    const { first, last } = inTurn(queue)
    return { free: first, later: last, passed, locked, holders }
  }

  async #comesLater(item: Item, now: number): Promise<boolean> {
    return (await this.deps.comesLater?.(item, now)) ?? false
  }

  /** Nobody gives a file up for what this one may not have either. */
  async #judge(item: Item, { files, id, now }: Judging): Promise<Judged> {
    const theirs = await this.#theirs(item, id, now)
    const lock = files.lockOn(item)
    if (lock === null) return files.isSpokenFor(item) ? { is: 'locked' } : (theirs ?? { is: 'free' })
    const isGivenUp = theirs === null && ((await this.deps.onLocked?.(item, lock)) ?? false)
    return { is: isGivenUp ? 'free' : 'locked' }
  }

  /** Whose it is rather than this one's; null: it may have it. */
  async #theirs(item: Item, id: AgentId, now: number): Promise<Judged | null> {
    if (await this.deps.passesOver?.(item, id)) return { is: 'passed' }
    const holder = (await this.deps.keptFor?.(item, now)) ?? null
    return holder === null || holder === id ? null : { is: 'kept', for: holder }
  }

  /** What is called for is heard of at once; in between it is looked all the same. */
  #place(waiting: Waiting, leave: () => void, look: Look): WaitListEntry {
    return {
      leave,
      called: async (ms, gone) => {
        const until = performance.now() + ms
        for (let heard = false; !heard; ) {
          const leftMs = until - performance.now()
          if (leftMs <= 0) break
          heard = await this.#hears(waiting, Math.min(leftMs, look.everyMs()), gone)
          if (!heard && (await look.isWorthIt())) break
        }
        waiting.called = Promise.withResolvers()
      },
    }
  }

  /** False: the time is over and nobody has called. */
  async #hears(waiting: Waiting, ms: number, gone: AbortSignal): Promise<boolean> {
    if (gone.aborted || this.deps.stopping.aborted) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    const leave = () => resolve(true)
    gone.addEventListener('abort', leave, { once: true })
    const heard = await Promise.race([waiting.called.promise.then(() => true), promise])
    gone.removeEventListener('abort', leave)
    clearTimeout(timer)
    return heard
  }

  /** One look for all who wait: where nothing is queued, there is nothing for anybody. */
  async #isWorkThere(id: AgentId): Promise<boolean> {
    if (isReviewer(id)) return this.#areThoughtsOpen().catch(() => true)
    const now = performance.now()
    if (this.#looked === null || now - this.#looked.at >= this.deps.pollMs() / 2)
      this.#looked = { at: now, found: this.#lookForWork() }
    // A database that does not answer is the business of whoever asks it next.
    return this.#looked.found.catch(() => true)
  }

  async #lookForWork(): Promise<boolean> {
    if ((await this.deps.store.items.queue(1)).length > 0) return true
    return this.#areThoughtsOpen()
  }

  async #areThoughtsOpen(): Promise<boolean> {
    return (await this.deps.areThoughtsOpen?.()) ?? false
  }

  /** One for each kind that came, of those who are offered it. */
  #callForThoughts(kinds: readonly ThoughtKind[]): void {
    for (const kind of kinds) this.#callFirst((id) => kindsFor(id).includes(kind))
  }

  /** What is kept for somebody concerns nobody else, unless that one is not here. */
  #callFor(id: AgentId | null): void {
    const waiting = id === null ? undefined : this.#agents.get(id)
    if (waiting === undefined) this.#callOne()
    else waiting.called.resolve()
  }

  /** For an item: one of those who build. */
  #callOne(but: AgentId | null = null): void {
    this.#callFirst((id) => id !== but && !isReviewer(id))
  }

  /** Who has waited longest is called, and goes to the end. */
  #callFirst(isMeant: (id: AgentId) => boolean): void {
    for (const [id, waiting] of this.#agents) {
      if (!isMeant(id)) continue
      this.#agents.delete(id)
      this.#agents.set(id, waiting)
      waiting.called.resolve()
      return
    }
  }

  #callRun(runId: string): void {
    for (const waiting of this.#runs.get(runId) ?? []) waiting.called.resolve()
  }

  #callAll(): void {
    for (const waiting of this.#agents.values()) waiting.called.resolve()
    for (const runs of this.#runs.values()) for (const waiting of runs) waiting.called.resolve()
  }
}
