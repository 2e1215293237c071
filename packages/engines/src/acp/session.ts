// A conversation over ACP: one process that stays between turns and is started again if it is gone.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { methods } from '@agentclientprotocol/sdk/unstable'
import { afterFirstBlock } from '@treadle/context/block'
import type { EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { descendants } from '@treadle/process/tree'
import { type Child, endChild } from '../external/child.ts'
import { type Housed, housed } from '../external/home.ts'
import { Watchdog } from '../watchdog.ts'
import { connect, StartFailure, type Wired } from './connection.ts'
import { endOf, failureOf } from './failure.ts'
import { answerForm, answerPermission, formOf, type PermissionWish, permissionOf } from './questions.ts'
import type { AcpProfile, AcpSettings } from './settings.ts'
import { Updates } from './updates.ts'

const LEFTOVER_GRACE_MS = 1_000
const INTERRUPT_MS = 5_000
const STOP_INTERRUPT_MS = 2_000
/** A program's costs come a moment after its answer. */
const AFTERWORD_MS = 150
/** A program that tells a conversation again is done with it when it was silent for so long. */
const REPLAY_QUIET_MS = 1_000
const REPLAY_MS_MAX = 20_000
/** Refusals with words that one turn may have. */
const ROUNDS_MAX = 20
const UNCOUNTED =
  'The program does not say what it has used: its whole turn is taken to cost one call (limits.assumedCallUSD).'
const INTERRUPTED: TurnEnd = { outcome: 'interrupted', text: 'The turn was interrupted.' }

/** Ends the processes that were started since then. */
function endBelow({ pid }: Child, before: ReadonlySet<number>): void {
  for (const found of descendants(pid ?? 0)) {
    if (before.has(found)) continue
    try {
      process.kill(found, 'SIGKILL')
    } catch (cause) {
      // The process has ended by itself meanwhile.
      assert((cause as NodeJS.ErrnoException).code === 'ESRCH', cause as Error)
    }
  }
}

export class AcpSession implements EngineSession {
  readonly #profile: AcpProfile
  readonly #settings: AcpSettings
  readonly #open: Housed['open']
  readonly #leave: () => void
  readonly #updates: Updates
  #wired: Wired | null = null
  #turn: { readonly over: PromiseWithResolvers<TurnEnd>; readonly watch: Watchdog } | null = null
  #sessionId: string | null
  #isFirst = true
  /** The processes of the program before the turn. */
  #before: ReadonlySet<number> = new Set()
  #isInterrupted = false
  /** A prompt was sent, and its answer is not there yet. */
  #isAsked = false
  /** How the turn ends although the program does not say so. */
  #verdict: TurnEnd | null = null
  #starting: { readonly abort: AbortController; readonly done: PromiseWithResolvers<void> } | null = null
  #isReplaying = false
  #replayedAt = 0
  #stopped = false
  #warned = false
  /** Words that people said with a refusal: the protocol has no place for them, so they are said next. */
  #words: string[] = []

  constructor(profile: AcpProfile, settings: AcpSettings, open: EngineOpen) {
    this.#profile = profile
    this.#settings = settings
    const house = housed(open)
    this.#open = house.open
    this.#leave = house.leave
    this.#sessionId = open.resume ?? null
    // A conversation that goes on has its system prompt.
    this.#isFirst = open.resume === undefined
    this.#updates = new Updates({ now: () => performance.now(), onEvent: open.onEvent })
  }

  async prompt({ text }: EngineTask): Promise<TurnEnd> {
    assert(this.#turn === null, 'a session has one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    const over = Promise.withResolvers<TurnEnd>()
    this.#turn = { over, watch: new Watchdog(this.#open.stallMs, () => this.#stall()) }
    this.#isInterrupted = false
    this.#verdict = null
    this.#words = []
    this.#play(text).then(over.resolve, over.reject)
    try {
      return await over.promise
    } finally {
      this.#turn.watch.pause()
      this.#turn = null
      this.#updates.end()
    }
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.#turn?.watch.pause()
    else this.#turn?.watch.reset()
  }

  async interrupt(): Promise<void> {
    await this.#interrupt(INTERRUPT_MS)
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    await this.#interrupt(Math.min(STOP_INTERRUPT_MS, graceMs))
    await this.#kill(graceMs)
    this.#leave()
    this.#turn?.over.resolve({ outcome: 'interrupted', text: 'The session was stopped.' })
  }

  async #play(text: string): Promise<TurnEnd> {
    const turn = this.#turn
    const refused = this.#wired === null ? await this.#start() : null
    if (refused !== null) return refused
    if (this.#isInterrupted) return INTERRUPTED
    this.#before = new Set(descendants(this.#wired?.child.pid ?? 0))
    const { system } = this.#open
    let said = this.#isFirst && system !== undefined ? afterFirstBlock(text, system) : text
    this.#isFirst = false
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      await this.#held(async () => this.#open.beforeCall?.())
      // Whoever was held may be let go when the turn is long over, and another one under way.
      if (this.#isInterrupted || this.#turn !== turn) return INTERRUPTED
      this.#updates.begin()
      const end = await this.#ask(said)
      const words = this.#words.splice(0)
      if (
        words.length === 0 ||
        this.#isInterrupted ||
        (end.outcome !== 'done' && end.outcome !== 'interrupted')
      )
        return end
      said = words.join('\n')
    }
    return { outcome: 'refused', text: `It was refused ${ROUNDS_MAX} times in one turn.` }
  }

  async #ask(text: string): Promise<TurnEnd> {
    const wired = this.#wired
    if (wired === null) return { outcome: 'crashed', text: 'The program is gone.' }
    const prompt = { sessionId: wired.sessionId, prompt: [{ type: 'text' as const, text }] }
    let answer: unknown
    this.#isAsked = true
    try {
      answer = await wired.agent.request(methods.agent.session.prompt, prompt)
    } catch (error) {
      this.#isAsked = false
      this.#count(null)
      if (this.#verdict !== null) return this.#verdict
      return this.#isInterrupted ? INTERRUPTED : failureOf(error)
    }
    await sleep(AFTERWORD_MS)
    this.#isAsked = false
    if (!this.#count(answer) && !this.#warned) {
      this.#warned = true
      this.#open.onEvent({ is: 'noted', text: UNCOUNTED })
    }
    const { said, hasFailed } = this.#updates
    return endOf({ answer, text: said, isInterrupted: this.#isInterrupted, hasFailed })
  }

  /** False: the program does not say what it has used. */
  #count(answer: unknown): boolean {
    const { provider, id } = this.#profile
    const usage = this.#updates.usage(answer, this.#settings.model ?? id, provider)
    if (usage !== null) this.#open.onEvent({ is: 'used', usage })
    return usage !== null
  }

  /** Starts the program; null if it runs. */
  async #start(): Promise<TurnEnd | null> {
    const starting = { abort: new AbortController(), done: Promise.withResolvers<void>() }
    this.#starting = starting
    this.#isReplaying = true
    // To start has a time limit of its own.
    this.#turn?.watch.pause()
    try {
      const connected = await connect({
        profile: this.#profile,
        settings: this.#settings,
        open: this.#open,
        resume: this.#profile.hasResume ? this.#sessionId : null,
        signal: starting.abort.signal,
        callbacks: {
          // A session that is loaded tells all that was said before once more.
          onUpdate: (update) => {
            if (this.#isReplaying) this.#replayedAt = performance.now()
            else this.#updates.take(update)
          },
          onPermission: (params) => this.#permit(params),
          onForm: (params) => this.#answer(params),
          onActivity: () => this.#turn?.watch.reset(),
        },
      })
      if (connected.is === 'refused') return { outcome: 'invalid', text: connected.why }
      for (const text of connected.warnings) this.#open.onEvent({ is: 'noted', text })
      if (this.#sessionId !== null && this.#profile.replaysLate === true) await this.#replayed()
      this.#keep(connected)
      return null
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error
      await endChild(error.child, this.#open.env, LEFTOVER_GRACE_MS)
      if (this.#isInterrupted) return INTERRUPTED
      const { outcome, text } = failureOf(error.cause)
      return { outcome, text: `${text} ${error.errors}`.trim() }
    } finally {
      this.#isReplaying = false
      this.#starting = null
      starting.done.resolve()
      this.#turn?.watch.reset()
    }
  }

  /** Waits until what was said before has been told again: it is no part of the turn. */
  async #replayed(): Promise<void> {
    const startedMs = performance.now()
    this.#replayedAt = startedMs
    while (
      performance.now() - this.#replayedAt < REPLAY_QUIET_MS &&
      performance.now() - startedMs < REPLAY_MS_MAX
    )
      await sleep(REPLAY_QUIET_MS / 10)
  }

  #keep(wired: Wired): void {
    this.#wired = wired
    if (this.#sessionId !== wired.sessionId || this.#open.resume !== undefined)
      this.#open.onEvent({ is: 'session', id: wired.sessionId })
    this.#sessionId = wired.sessionId
    wired.child.on('close', (code, signal) => {
      // If we have ended it ourselves, whoever did so says how the turn ended.
      if (this.#wired?.child !== wired.child) return
      this.#wired = null
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`
      const text = `The program ended ${how} before its turn was over. ${wired.errors}`.trim()
      const end: TurnEnd = this.#verdict ?? { outcome: this.#isInterrupted ? 'interrupted' : 'crashed', text }
      void this.#end(wired.child).then(() => this.#turn?.over.resolve(end))
    })
  }

  async #permit(params: unknown): Promise<unknown> {
    const wish = permissionOf(params)
    this.#updates.tool(wish.toolCall)
    if (this.#isInterrupted) return { outcome: { outcome: 'cancelled' } }
    await this.#held(async () => this.#open.beforeCall?.())
    if (this.#open.readOnly === true && this.#wired?.isConfined !== true) return this.#refuse(wish)
    if (this.#open.permissions !== 'ask') return answerPermission(wish, { text: 'allow' })
    this.#open.onEvent({ is: 'asked', question: wish.question })
    const answer = await this.#held(() => this.#open.onQuestion(wish.question))
    if (this.#isInterrupted) return { outcome: { outcome: 'cancelled' } }
    const { allow = answer.text !== 'deny', text } = answer
    if (!allow) {
      this.#updates.deny(wish.callId)
      if (text !== '' && text !== 'deny') this.#words.push(`${wish.question.tool} was not allowed: ${text}`)
    }
    return answerPermission(wish, { ...answer, allow })
  }

  /** Refuses a reader's wish, where no sandbox sees to it. */
  #refuse(wish: PermissionWish): unknown {
    this.#updates.deny(wish.callId)
    return answerPermission(wish, { text: '', allow: false })
  }

  async #answer(params: unknown): Promise<unknown> {
    const question = formOf(params)
    this.#open.onEvent({ is: 'asked', question })
    return answerForm(params, await this.#held(() => this.#open.onQuestion(question)))
  }

  /** Somebody who thinks is no stalled program; what he throws ends the turn. */
  async #held<T>(wait: () => Promise<T>): Promise<T> {
    this.#turn?.watch.pause()
    try {
      return await wait()
    } catch (error) {
      this.#turn?.over.reject(error)
      throw error
    } finally {
      this.#turn?.watch.reset()
    }
  }

  async #interrupt(waitMs: number): Promise<void> {
    const turn = this.#turn
    if (turn === null) return
    this.#isInterrupted = true
    this.#starting?.abort.abort()
    await this.#starting?.done.promise
    const wired = this.#wired
    // Held before it was asked: there is nothing to be called off.
    if (wired !== null && !this.#isAsked) return turn.over.resolve(INTERRUPTED)
    if (wired !== null)
      await wired.agent
        .notify(methods.agent.session.cancel, { sessionId: wired.sessionId })
        .catch(() => undefined)
    const settled = turn.over.promise.then(
      () => true,
      () => true,
    )
    const waiting = new AbortController()
    const late = sleep(waitMs, false, { signal: waiting.signal }).catch(() => true)
    const isOver = wired === null ? false : await Promise.race([settled, late])
    waiting.abort()
    if (isOver && wired !== null && this.#profile.leavesCommands === true) endBelow(wired.child, this.#before)
    if (isOver) return
    await this.#kill(LEFTOVER_GRACE_MS)
    turn.over.resolve(INTERRUPTED)
  }

  #stall(): void {
    const turn = this.#turn
    turn?.watch.pause()
    const end: TurnEnd = { outcome: 'stalled', text: `The program was silent for ${this.#open.stallMs} ms.` }
    this.#verdict = end
    void this.#kill(LEFTOVER_GRACE_MS).then(() => turn?.over.resolve(end))
  }

  async #kill(graceMs: number): Promise<void> {
    const wired = this.#wired
    this.#wired = null
    if (wired !== null) await this.#end(wired.child, graceMs)
  }

  async #end(child: Child, graceMs = LEFTOVER_GRACE_MS): Promise<void> {
    await endChild(child, this.#open.env, graceMs)
  }
}
