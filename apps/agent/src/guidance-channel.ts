// What people say to the run at work: heard from the daemon as they say it, and known again after a restart.

import { setTimeout as sleep } from 'node:timers/promises'
import { CURSOR_START, type Cursor, type StoredEvent } from '@treadle/contracts/event'
import type { Guidance, Plan, Question, Reflection } from '@treadle/contracts/paor'
import type { SaidGuidance } from '@treadle/contracts/routes/runs'
import { openQuestion } from '@treadle/flow/ask/waiting'
import { goalPastIn, joinPasts } from '@treadle/flow/build/goal-past'
import { messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import type { GoalPast, GuidanceChannel } from '@treadle/flow/ports/guidance'
import { type Home, isAway } from './home.ts'
import { historyOf, pastBefore } from './run-history.ts'

/** Less than the client's patience. */
const WAIT_MS = 15_000
const AGAIN_MS = 1_000
/** How long a plan waits for what was said a moment ago. */
const REFRESH_MS = 2_000
/** How long a daemon may be away before the work begins without it. */
const TRIES_MAX = 60

export interface GuidanceChannelWorld {
  readonly home: Home
  readonly clock: Clock
  readonly log: (message: string) => void
  /** The run that is being worked on; null once its last word is said. */
  readonly runId: () => string | null
}

export class RunGuidanceChannel implements GuidanceChannel {
  readonly #runId: string
  readonly #said: Guidance[] = []
  readonly #heard = new Set<string>()
  readonly #listeners = new Set<(guidance: Guidance) => void>()
  readonly #asked = new Map<string, string>()
  readonly #awaited = new Set<string>()
  #home: Home | null = null
  #cursor: Cursor = CURSOR_START
  #open: Question | null = null
  readonly #plans: Plan[] = []
  readonly #reflections: Reflection[] = []
  readonly #conversations = new Map<string, string>()

  constructor(runId: string) {
    this.#runId = runId
  }

  said(): readonly Guidance[] {
    return this.#said
  }

  async refresh(): Promise<void> {
    const home = this.#home
    if (home === null) return
    const asked = this.#ask(home, 0).catch(() => undefined)
    await Promise.race([asked, sleep(REFRESH_MS, undefined, { ref: false })])
  }

  hear(guidance: readonly Guidance[]): readonly Guidance[] {
    const news = guidance.filter(({ id }) => !this.#heard.has(id))
    for (const { id } of news) this.#heard.add(id)
    return news
  }

  unheard(): readonly Guidance[] {
    return this.#said.filter(({ id }) => !this.#heard.has(id))
  }

  listen(onGuidance: (guidance: Guidance) => void): () => void {
    this.#listeners.add(onGuidance)
    return () => void this.#listeners.delete(onGuidance)
  }

  asked(id: string): string | null {
    return this.#asked.get(id) ?? null
  }

  left(): Question | null {
    return this.#open
  }

  /** The question that a predecessor has left open is not asked a second time. */
  put(question: Question): { question: Question; asked: boolean } {
    const left = this.#open
    const isAside = question.detail?.blocking === false
    if (!isAside) this.#open = null
    if (!isAside && left !== null && isSame(left, question)) return { question: left, asked: true }
    // Earlier runs of the item have had questions of the same name, and their answers are still in the list.
    const name = `${question.id.slice(0, 80)}-${this.#runId.slice(0, 8)}`
    let id = name
    for (let number = 2; this.#asked.has(id); number += 1) id = `${name}-${number}`
    this.#asked.set(id, question.title)
    return { question: { ...question, id }, asked: false }
  }

  async answer({ id }: Question, signal: AbortSignal): Promise<Guidance | null> {
    const answers = (guidance: Guidance) => guidance.answers === id
    const known = this.#said.find(answers)
    if (known !== undefined) return known
    if (signal.aborted) return null
    this.#awaited.add(id)
    const { promise, resolve } = Promise.withResolvers<Guidance | null>()
    const deaf = this.listen((guidance) => answers(guidance) && resolve(guidance))
    const end = () => resolve(null)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await promise
    } finally {
      deaf()
      this.#awaited.delete(id)
      signal.removeEventListener('abort', end)
    }
  }

  awaits(id: string): boolean {
    return this.#awaited.has(id)
  }

  planned(plan: Plan): void {
    this.#open = null
    this.#plans.push(plan)
  }

  reflected(reflection: Reflection): void {
    this.#reflections.push(reflection)
  }

  conversations(): ReadonlyMap<string, string> {
    return this.#conversations
  }

  past(): GoalPast {
    return { plans: [...this.#plans], reflections: [...this.#reflections] }
  }

  /** What was said before the work begins, and what a predecessor has left. A daemon that is away is asked again. */
  async prepare(world: GuidanceChannelWorld, resumed: boolean): Promise<void> {
    this.#home = world.home
    for (let tries = 1; ; tries += 1) {
      try {
        if (resumed) await this.#recallAll(world.home)
        await this.#ask(world.home, 0)
        break
      } catch (error) {
        if (!isAway(error) || tries === TRIES_MAX) {
          world.log(`guidance: ${messageOf(error)}`)
          break
        }
      }
      await world.clock.sleep(AGAIN_MS)
    }
    void this.#follow(world)
  }

  async #follow({ home, clock, log, runId }: GuidanceChannelWorld): Promise<void> {
    while (runId() === this.#runId) {
      const askedAt = clock.now().getTime()
      try {
        const { items, over } = await this.#ask(home, WAIT_MS)
        if (over) return
        // A daemon that is full, or about to end, does not hold the question: it is not asked in a loop.
        if (items.length > 0 || clock.now().getTime() - askedAt > AGAIN_MS) continue
      } catch (error) {
        if (!isAway(error)) return log(`guidance: ${messageOf(error)}`)
      }
      await clock.sleep(AGAIN_MS)
    }
  }

  async #ask(home: Home, waitMs: number): Promise<{ items: readonly SaidGuidance[]; over: boolean }> {
    const query = { after: this.#cursor, waitMs }
    const answer = await home.client().listGuidance({ params: { id: this.#runId }, query })
    for (const { cursor, guidance } of answer.items) {
      this.#cursor = cursor
      if (this.#said.some(({ id }) => id === guidance.id)) continue
      this.#said.push(guidance)
      for (const hear of [...this.#listeners]) hear(guidance)
    }
    return answer
  }

  /** What this run has done, and for a goal what the runs did that it goes on from. */
  async #recallAll(home: Home): Promise<void> {
    const events = await historyOf(home, this.#runId)
    const { plans, reflections } = joinPasts(await pastBefore(home, events), goalPastIn(events).past)
    this.#plans.splice(0, Number.POSITIVE_INFINITY, ...plans)
    this.#reflections.splice(0, Number.POSITIVE_INFINITY, ...reflections)
    this.#recall(events)
  }

  #recall(events: readonly StoredEvent[]): void {
    this.#open = openQuestion(events, this.#runId)?.question ?? null
    for (const { event } of events) {
      if (event.type === 'run.asked') this.#asked.set(event.question.id, event.question.title)
      if (event.type === 'run.session') this.#conversations.set(event.engine, event.session)
      if (event.type === 'run.heard') for (const id of event.guidance) this.#heard.add(id)
    }
  }
}

/** What may be done is a question of its own each time, however alike the words are. */
function isSame(left: Question, question: Question): boolean {
  if (left.kind === 'permission' || left.kind !== question.kind) return false
  return left.title === question.title && left.input === question.input
}
