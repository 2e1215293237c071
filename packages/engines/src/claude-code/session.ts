// A conversation with Claude Code: one process that stays between turns and is started again, with the same
// conversation, if it is gone.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { sandboxOf } from '../confined.ts'
import { type Child, endChild, refreshChild, startChild } from '../external/child.ts'
import { type Housed, housed } from '../external/home.ts'
import { findProgram } from '../external/program.ts'
import { LINE_BYTES_MAX, LineLimit } from '../line-limit.ts'
import { TextWindow } from '../scripted/window.ts'
import { Watchdog } from '../watchdog.ts'
import { ASK_TOOL, INITIALIZE, permissionOf, questionOf, wordsOf } from './control.ts'
import { type ControlRequest, readLine } from './lines.ts'
import { Reader } from './reader.ts'
import {
  argvOf,
  type ClaudeCodeSettings,
  configFolder,
  envOf,
  lentOf,
  loginOf,
  writableOf,
} from './settings.ts'

const LEFTOVER_GRACE_MS = 1_000
const INTERRUPT_MS = 5_000
const STOP_INTERRUPT_MS = 2_000
/** One that does not answer the greeting is asked all the same. */
const GREETING_MS = 10_000

interface Running {
  readonly child: Child
  readonly reader: Reader
  readonly errors: TextWindow
  /** Settles when it has answered the greeting, or is not going to. */
  readonly isReady: Promise<unknown>
}

interface Turn {
  readonly end: PromiseWithResolvers<TurnEnd>
  readonly watch: Watchdog
  isInterrupted: boolean
  /** The prompt was sent. */
  isAsked: boolean
}

export class ClaudeCodeSession implements EngineSession {
  readonly #settings: ClaudeCodeSettings
  readonly #open: Housed['open']
  readonly #leave: () => void
  readonly #env: Readonly<Record<string, string>>
  #process: Running | null = null
  #turn: Turn | null = null
  #starting: Promise<string | null> | null = null
  #sessionId: string | null
  #gate: PromiseWithResolvers<void> | null = null
  #requests = 0
  #stopped = false
  #warned = false
  #isConfined = false

  constructor(settings: ClaudeCodeSettings, open: EngineOpen) {
    this.#settings = settings
    const house = housed(open)
    this.#open = house.open
    this.#leave = house.leave
    this.#sessionId = open.resume ?? null
    this.#env = envOf({ settings, open: house.open })
  }

  async prompt({ text }: EngineTask): Promise<TurnEnd> {
    assert(this.#turn === null, 'a session has one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    const end = Promise.withResolvers<TurnEnd>()
    const watch = new Watchdog(this.#open.stallMs, () => this.#stall())
    const turn: Turn = { end, watch, isInterrupted: false, isAsked: false }
    this.#turn = turn
    this.#begin(turn, text).catch(end.reject)
    try {
      return await end.promise
    } finally {
      watch.pause()
      this.#turn = null
    }
  }

  /** Begins a turn; one that was interrupted before never is: whoever interrupted it says how it ended. */
  async #begin(turn: Turn, text: string): Promise<void> {
    // To find out whether it can be confined is no silence of its.
    turn.watch.pause()
    if (this.#process !== null) await refreshChild(this.#process.child)
    this.#starting = this.#process === null ? this.#start() : null
    const refused = await this.#starting
    if (turn.isInterrupted) return
    if (refused !== null) return this.#finish({ outcome: 'invalid', text: refused })
    turn.watch.reset()
    await this.#process?.isReady
    if (turn.isInterrupted || this.#turn !== turn) return
    turn.isAsked = true
    this.#process?.reader.begin()
    this.#say(text)
  }

  async steer(text: string): Promise<boolean> {
    if (this.#turn?.isAsked !== true || this.#process === null) return false
    this.#say(text)
    return true
  }

  async pause(): Promise<void> {
    this.#gate ??= Promise.withResolvers()
  }

  async resume(): Promise<void> {
    this.#gate?.resolve()
    this.#gate = null
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
    this.#finish({ outcome: 'interrupted', text: 'The session was stopped.' })
  }

  /** Asks it to end its turn; one that does not is ended. */
  async #interrupt(waitMs: number): Promise<void> {
    const turn = this.#turn
    if (turn === null) return
    turn.isInterrupted = true
    // A start that went wrong is told by prompt().
    await this.#starting?.catch(() => undefined)
    if (!turn.isAsked || this.#process === null) return this.#cut(turn)
    this.#process.reader.interrupt()
    this.#ask({ subtype: 'interrupt' })
    const waiting = new AbortController()
    const late = sleep(waitMs, 'late', { signal: waiting.signal }).catch(() => 'ended')
    const ended = turn.end.promise.then(
      () => 'ended',
      () => 'ended',
    )
    const how = await Promise.race([ended, late])
    waiting.abort()
    if (how !== 'ended') await this.#cut(turn)
  }

  async #cut({ end }: Turn): Promise<void> {
    await this.#kill(LEFTOVER_GRACE_MS)
    end.resolve({ outcome: 'interrupted', text: 'The turn was interrupted.' })
  }

  /** Starts the program; null if it runs. */
  async #start(): Promise<string | null> {
    const { command } = this.#settings
    const program = findProgram(command, this.#env.PATH ?? '')
    if (program === null) return `There is no program ${command} on the path.`
    const { home } = this.#open
    if (loginOf(this.#settings) === 'key') mkdirSync(configFolder(home), { recursive: true, mode: 0o700 })
    const start = { program, settings: this.#settings, open: this.#open, resume: this.#sessionId }
    const started = await startChild({
      argv: argvOf(start),
      env: this.#env,
      writable: writableOf(start),
      lend: () => lentOf(start),
      sandbox: sandboxOf(this.#settings),
      open: this.#open,
    })
    if (started.is === 'refused') return started.why
    if (started.warning !== null && !this.#warned) this.#open.onEvent({ is: 'noted', text: started.warning })
    this.#warned = true
    this.#isConfined = started.isConfined
    this.#listen(started.child)
    this.#ask(INITIALIZE)
    return null
  }

  #listen(child: Child): void {
    const errors = new TextWindow()
    const reader = new Reader({
      prices: this.#settings.prices,
      isResumed: this.#sessionId !== null,
      now: () => performance.now(),
      onEvent: (event) => {
        if (event.is === 'session') this.#sessionId = event.id
        this.#open.onEvent(event)
      },
    })
    const limited = new LineLimit(LINE_BYTES_MAX, () => this.#tooLong())
    const lines = createInterface({ input: child.stdout.pipe(limited) })
    // The first line of it is its answer to the greeting.
    const heard = new Promise((resolve) => lines.once('line', resolve))
    const isReady = Promise.race([heard, sleep(GREETING_MS, undefined, { ref: false })])
    this.#process = { child, reader, errors, isReady }
    lines.on('line', (line) => this.#guard(() => this.#receive(line)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.add(text))
    child.stdin.on('error', (cause) => errors.add(`${cause.message}\n`))
    child.on('error', (cause) => this.#finish({ outcome: 'crashed', text: cause.message }))
    child.on('close', (code, signal) => {
      // If we have ended it ourselves, whoever did so says how the turn ended.
      if (this.#process?.child !== child) return
      this.#process = null
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`
      const text = `Claude Code ended ${how} before its turn was over. ${errors}`.trim()
      void this.#cleanUp(child).then(() => this.#finish({ outcome: 'crashed', text }))
    })
  }

  #receive(text: string): void {
    const line = readLine(text)
    const current = this.#process
    this.#turn?.watch.reset()
    if (line === null || current === null) return
    if (line.type === 'control_request') {
      this.#answer(line).catch((cause: unknown) => this.#giveUp(cause))
      return
    }
    const end = current.reader.take(line)
    if (end === null) return
    // A refused key: it would go on asking.
    if (line.type !== 'result') void this.#kill(LEFTOVER_GRACE_MS).then(() => this.#finish(end))
    else this.#finish(end)
  }

  async #answer({ request_id: id, request }: ControlRequest): Promise<void> {
    if (request.subtype === 'can_use_tool') return this.#permit(id, request)
    const callId = request.tool_use_id ?? String(request.input?.tool_use_id ?? '')
    if (request.callback_id === 'pre') {
      await this.#hold()
      this.#process?.reader.release(callId)
    }
    if (request.callback_id === 'post') {
      const { duration_ms: durationMs } = request.input ?? {}
      if (typeof durationMs === 'number') this.#process?.reader.measure(callId, durationMs)
      await this.#hold()
    }
    this.#reply(id, {})
  }

  async #permit(
    id: string,
    { tool_name: tool = '', tool_use_id: callId = '', input = {} }: ControlRequest['request'],
  ) {
    const wish = { id, tool, input }
    if (tool !== ASK_TOOL && this.#open.readOnly === true && !this.#isConfined) {
      this.#process?.reader.deny(callId)
      this.#reply(id, { behavior: 'deny', message: 'Nothing may be changed here.' })
      return
    }
    if (tool !== ASK_TOOL && this.#open.permissions !== 'ask') {
      this.#reply(id, { behavior: 'allow', updatedInput: input })
      return
    }
    const question = questionOf(wish)
    this.#open.onEvent({ is: 'asked', question })
    this.#turn?.watch.pause()
    const answer = await this.#open.onQuestion(question)
    this.#turn?.watch.reset()
    const permission = permissionOf(wish, answer)
    if (permission.behavior === 'deny') this.#process?.reader.deny(callId)
    this.#process?.reader.release(callId)
    this.#reply(id, permission)
    const words = wordsOf(question, answer)
    if (words !== null) await this.steer(words)
  }

  /** Between two calls: while it is paused, and while nobody has said that a further one may be paid for. */
  async #hold(): Promise<void> {
    this.#turn?.watch.pause()
    await this.#gate?.promise
    await this.#open.beforeCall?.()
    this.#turn?.watch.reset()
  }

  #tooLong(): void {
    const text = `Claude Code wrote a line of more than ${LINE_BYTES_MAX / 1024 ** 2} MB.`
    void this.#kill(LEFTOVER_GRACE_MS).then(() => this.#finish({ outcome: 'crashed', text }))
  }

  #stall(): void {
    this.#turn?.watch.pause()
    const text = `Claude Code was silent for ${this.#open.stallMs} ms.`
    void this.#kill(LEFTOVER_GRACE_MS).then(() => this.#finish({ outcome: 'stalled', text }))
  }

  async #kill(graceMs: number): Promise<void> {
    const current = this.#process
    this.#process = null
    if (current !== null) await endChild(current.child, this.#env, graceMs)
  }

  /** Ends all that the program has started, which outlives it. */
  async #cleanUp(child: Child): Promise<void> {
    await endChild(child, this.#env, LEFTOVER_GRACE_MS)
  }

  #finish(end: TurnEnd): void {
    this.#turn?.end.resolve(end)
  }

  /** A callback of the caller threw: the turn cannot go on, and the caller gets it back from prompt(). */
  #giveUp(cause: unknown): void {
    void this.#kill(LEFTOVER_GRACE_MS).then(() => this.#turn?.end.reject(cause))
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (cause) {
      this.#giveUp(cause)
    }
  }

  #say(text: string): void {
    const message = { role: 'user', content: text }
    this.#write({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid: randomUUID() })
  }

  #ask(request: object): void {
    this.#requests += 1
    this.#write({ type: 'control_request', request_id: `treadle-${this.#requests}`, request })
  }

  #reply(id: string, response: object): void {
    this.#write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
  }

  #write(line: object): void {
    this.#process?.child.stdin.write(`${JSON.stringify(line)}\n`)
  }
}
