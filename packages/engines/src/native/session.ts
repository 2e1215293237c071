// One conversation of the native engine with its model, turn by turn.
import assert from 'node:assert/strict'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { SubTask } from '@treadle/contracts/paor'
import type { EngineOpen, EngineSession, EngineTask, GoalTask, TurnEnd } from '@treadle/flow/ports/engine'
import { z } from 'zod'
import { type EngineSandbox, sandboxOf } from '../confined.ts'
import { runPaor } from '../goal/run-goal.ts'
import { openPrices } from '../prices.ts'
import { openShell, runVerify, type Shell, type ShellOpened } from '../shell.ts'
import { type AgentParts, work } from './agent.ts'
import { askTool } from './ask.ts'
import type { Caller } from './call.ts'
import { Conversation } from './conversation.ts'
import { type Crew, delegateTool } from './delegate.ts'
import { costsNothing, type NativeSettings } from './model.ts'
import { MAIN, READER } from './prompts.ts'
import { NativeThinker, objectIn } from './thinker.ts'
import { bash } from './tools/bash.ts'
import { edit, read, write } from './tools/files.ts'
import { glob, grep } from './tools/search.ts'
import type { ToolWorld } from './tools/tool.ts'
import { INTERRUPTED, NativeTurn, TurnOver } from './turn.ts'

const READING = [read, glob, grep]
const WRITING = [edit, write, bash]
const FILES_SHOWN = 60

/** Whom the session asks: who plans and judges a goal may be another one than who acts. */
interface NativeModels {
  readonly main: LanguageModelV4
  readonly planner: LanguageModelV4
}

export class NativeSession implements EngineSession {
  readonly #settings: NativeSettings
  readonly #options: EngineOpen
  readonly #caller: Caller
  readonly #planner: Caller
  readonly #conversation: Conversation
  readonly #opened: Promise<ShellOpened>
  readonly #names = new Map<string, number>()
  readonly #sandbox: EngineSandbox
  #turn: { turn: NativeTurn; ended: Promise<unknown> } | null = null
  #isPaused = false
  #stopped = false
  /** A conversation to go on with that is not there any more. */
  readonly #isLost: boolean

  constructor(settings: NativeSettings, { main, planner }: NativeModels, options: EngineOpen) {
    this.#settings = settings
    this.#options = options
    const prices = costsNothing(settings) ? free : (settings.prices ?? openPrices({}))
    const how = { effort: options.effort ?? null, retries: settings.retries ?? 2, prices }
    this.#caller = { model: main, ...how }
    this.#planner = { model: planner, ...how }
    const { home, resume } = options
    this.#isLost = resume !== undefined && home !== undefined && !Conversation.isKept(home, resume)
    this.#conversation = Conversation.open(options.home, options.resume)
    this.#sandbox = sandboxOf(settings)
    this.#opened = openShell({
      cwd: options.cwd,
      env: options.env,
      sandbox: this.#sandbox,
      isReadOnly: options.readOnly === true,
    })
    this.#opened.catch(() => undefined)
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(this.#turn === null, 'a session has one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    const turn = new NativeTurn(this.#options)
    if (this.#isPaused) turn.pause()
    const ended = this.#play(turn, task)
    this.#turn = { turn, ended: ended.catch(() => undefined) }
    try {
      return await ended
    } finally {
      turn.close()
      this.#turn = null
    }
  }

  /** Words to a turn are heard only while it is under way. */
  async steer(text: string): Promise<boolean> {
    return this.#turn?.turn.steer(text) ?? false
  }

  async pause(): Promise<void> {
    this.#isPaused = true
    this.#turn?.turn.pause()
  }

  async resume(): Promise<void> {
    this.#isPaused = false
    this.#turn?.turn.resume()
  }

  /** The tools stand still where they are, and no other is begun. */
  async freeze(): Promise<void> {
    this.#turn?.turn.pause()
    const opened = await this.#opened
    if (opened.is === 'ready') await opened.shell.halt()
  }

  async thaw(): Promise<void> {
    const opened = await this.#opened
    if (opened.is === 'ready') opened.shell.goOn()
    if (!this.#isPaused) this.#turn?.turn.resume()
  }

  hold(isHeld: boolean): void {
    this.#turn?.turn.hold(isHeld)
  }

  async interrupt(): Promise<void> {
    this.#turn?.turn.end(INTERRUPTED)
  }

  /** Stops the session; all that a turn has started is ended by the turn itself, before it is over. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#turn?.turn.end({ outcome: 'interrupted', text: 'The session was stopped.' })
    await this.#turn?.ended
    const opened = await this.#opened.catch(() => null)
    if (opened?.is === 'ready') opened.shell.close()
  }

  async #play(turn: NativeTurn, task: EngineTask): Promise<TurnEnd> {
    if (this.#isLost) return { outcome: 'invalid', text: 'The conversation is not there any more.' }
    const { modelId } = this.#caller.model
    turn.tell({ is: 'session', id: this.#conversation.id, model: modelId })
    const opened = await this.#opened
    if (opened.is === 'refused') return { outcome: 'invalid', text: opened.why }
    if (opened.warning !== null) turn.tell({ is: 'noted', text: opened.warning })
    await opened.shell.refresh()
    try {
      if (task.goal !== undefined) return await this.#reach(turn, opened.shell, task.text, task.goal)
      return await this.#answer(turn, opened.shell, task.text)
    } catch (error) {
      if (error instanceof TurnOver) return error.end
      throw error
    }
  }

  #reach(turn: NativeTurn, shell: Shell, text: string, task: GoalTask): Promise<TurnEnd> {
    const parts = (scope: readonly string[]) => this.#parts(turn, shell, scope)
    const thinker = new NativeThinker({
      main: parts([]),
      planner: this.#planner,
      mainIn: parts,
      crewIn: (scope) => this.#crew(turn, shell, scope),
      stepsMax: this.#settings.stepsPerTurn,
      files: () => filesIn(shell, turn.signal),
    })
    const world = {
      signal: turn.signal,
      onEvent: (event: Parameters<NativeTurn['tell']>[0]) => turn.tell(event),
      onQuestion: (question: Parameters<EngineOpen['onQuestion']>[0]) =>
        turn.unwatched(() => turn.within(this.#options.onQuestion(question))),
      hear: async () => this.#options.hear?.(),
      guidance: () => turn.words,
      answers: () => turn.answers,
      isPlace: (name: string) => existsSync(join(this.#options.cwd, name)),
      concluded: () => turn.conclude(),
      verify: (command: string) => {
        const { cwd, env } = this.#options
        return turn.unwatched(() =>
          runVerify(command, { cwd, env, signal: turn.signal, sandbox: this.#sandbox }, shell),
        )
      },
    }
    return runPaor(world, { text, task }, thinker)
  }

  async #answer(turn: NativeTurn, shell: Shell, text: string): Promise<TurnEnd> {
    const { schema } = this.#options
    const { stepsPerTurn } = this.#settings
    const parts = this.#parts(turn, shell, [])
    const { said, isCutShort } = await work(parts, text, stepsPerTurn)
    if (isCutShort)
      return { outcome: 'max_turns', text: `Not done after ${stepsPerTurn} steps. ${said}`.trim() }
    if (schema === undefined) return { outcome: 'done', text: said }
    const fault = faultIn(schema, objectIn(said))
    if (fault === null) return { outcome: 'done', text: said, structured: objectIn(said) }
    const again = await work(parts, `Answer with JSON of the schema only: ${fault}`, stepsPerTurn)
    const second = faultIn(schema, objectIn(again.said))
    if (second !== null) return { outcome: 'invalid', text: `The answer does not fit the schema: ${second}` }
    return { outcome: 'done', text: again.said, structured: objectIn(again.said) }
  }

  #parts(turn: NativeTurn, shell: Shell, scope: readonly string[]): AgentParts {
    const { readOnly = false, system, schema } = this.#options
    const own = readOnly ? READER : MAIN
    const tools = [...READING, ...(readOnly ? [] : WRITING), askTool(turn)]
    return {
      turn,
      caller: this.#caller,
      world: this.#world(turn, shell, scope),
      tools: [...tools, delegateTool(this.#crew(turn, shell, scope))],
      system: system === undefined ? own : `${own}\n\n${system}`,
      conversation: this.#conversation,
      name: null,
      schema: schema ?? null,
    }
  }

  #world(turn: NativeTurn, shell: Shell, scope: readonly string[]): ToolWorld {
    return { root: realpathSync(this.#options.cwd), scope, signal: turn.signal, shell }
  }

  #crew(turn: NativeTurn, shell: Shell, scope: readonly string[]): Crew {
    return {
      parts: { turn, caller: this.#caller, world: this.#world(turn, shell, scope) },
      system: this.#options.system ?? null,
      reading: READING,
      writing: this.#options.readOnly === true ? [] : WRITING,
      parallel: this.#settings.parallel,
      stepsMax: this.#settings.stepsPerTurn,
      nameFor: (by) => this.#nameFor(by),
    }
  }

  #nameFor(by: SubTask['by']): string {
    const kind = by === 'explore' ? 'explore' : 'worker'
    const number = (this.#names.get(kind) ?? 0) + 1
    this.#names.set(kind, number)
    return `${kind}-${number}`
  }
}

const free = () => ({ usd: 0, warning: null })

/** A fault in the answer; null if it is what was asked for. */
function faultIn(schema: object, answer: unknown): string | null {
  const read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer)
  return read.success ? null : z.prettifyError(read.error)
}

/** How large the place is, and what lies at its top. */
async function filesIn(shell: Shell, signal: AbortSignal): Promise<string> {
  const listed = await shell.run({
    argv: ['git', 'ls-files', '-co', '--exclude-standard'],
    timeoutMs: 30_000,
    signal,
  })
  if (listed.exitCode !== 0) return ''
  const files = listed.output.split('\n').filter((file) => file !== '')
  const tops = [...new Set(files.map((file) => file.split('/').slice(0, 2).join('/')))]
  return `${files.length} files: ${tops.slice(0, FILES_SHOWN).join(', ')}`
}
