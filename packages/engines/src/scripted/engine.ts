// The scripted engine: plays a scenario file instead of asking a model. Deterministic, with real processes.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import type { Confining } from '@treadle/sandbox/confine'
import { sandboxNote } from '@treadle/sandbox/note'
import type { EngineSandbox } from '../confined.ts'
import { runPaor } from '../goal/run-goal.ts'
import type { PaorWorld } from '../goal/thinker.ts'
import { runVerify } from '../shell.ts'
import { chooseScript, readScenario, type Step } from './scenario.ts'
import { type PlaySteps, ScriptedThinker } from './thinker.ts'
import { confinePlayer, ScriptedTurn } from './turn.ts'

const HINT = 'set engines.scripted.scenario in treadle.json'

export interface ScriptedSettings {
  /** Path of the scenario file; a relative one starts at the current folder. */
  readonly scenario: string | null
  /** Around the player, and around the command that verifies a goal. */
  readonly sandbox: EngineSandbox
}

export function openScripted(settings: ScriptedSettings): Engine {
  const path = settings.scenario === null ? null : resolve(settings.scenario)
  return {
    id: 'scripted',
    takes: 'groups',
    get plans() {
      return path !== null && hasPlans(path)
    },
    isFree: () => path === null || costsNothing(path),
    async probe() {
      if (path === null) return { is: 'unusable', why: 'The scripted engine has no scenario.', hint: HINT }
      const read = readScenario(path)
      if (read.is === 'faulty') return { is: 'unusable', why: read.why, hint: `correct ${path}, or ${HINT}` }
      const sandbox = await sandboxNote(settings.sandbox.mode)
      if (sandbox.is === 'unusable') return sandbox
      return { is: 'usable', note: `plays ${path} (${read.scenario.items.length} items), ${sandbox.note}` }
    },
    async open(options) {
      const { sandbox } = settings
      return new ScriptedSession(path, options, { sandbox, confined: await confinePlayer(options, sandbox) })
    },
  }
}

/** A scenario in which no step says that it has cost something. */
function costsNothing(path: string): boolean {
  return !stepsIn(path).some((step) => step.is === 'use' && (step.usd ?? 0) > 0)
}

/** A scenario that says itself what is planned and thought; any other is driven. */
function hasPlans(path: string): boolean {
  return stepsIn(path).some(({ is }) => is === 'plan' || is === 'reflect')
}

function stepsIn(path: string): Step[] {
  const read = readScenario(path)
  if (read.is === 'faulty') return []
  const { items, otherwise, thoughts } = read.scenario
  const attempts = [...items, ...(otherwise === undefined ? [] : [otherwise])].flatMap(
    (each) => each.attempts,
  )
  return [...attempts, ...thoughts.flatMap(({ replies }) => replies)].flat()
}

interface ScriptedConfined {
  readonly sandbox: EngineSandbox
  readonly confined: Confining
}

class ScriptedSession implements EngineSession {
  readonly #path: string | null
  readonly #options: EngineOpen
  readonly #sandbox: EngineSandbox
  readonly #confined: Confining
  #ending = new AbortController()
  readonly #words: string[] = []
  #turn: ScriptedTurn | null = null
  #isGoal = false
  /** A plan is still to come that can contain what is said. */
  #listens = false
  #stopped = false
  #isWarned = false

  constructor(path: string | null, options: EngineOpen, { sandbox, confined }: ScriptedConfined) {
    this.#path = path
    this.#sandbox = sandbox
    this.#confined = confined
    this.#options = options
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(this.#turn === null && !this.#isGoal, 'a session plays one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    if (this.#path === null) return { outcome: 'invalid', text: `No scenario: ${HINT}` }
    const read = readScenario(this.#path)
    if (read.is === 'faulty') return { outcome: 'invalid', text: read.why }
    const steps = chooseScript(read.scenario, task)
    if (steps === null) return { outcome: 'refused', text: nothingFor(this.#path, task) }
    const id = `${task.item?.number ?? 'task'}-${task.attempt}`
    if (task.goal === undefined || !hasPlans(this.#path)) return this.#formed(await this.#play(id, steps))
    const { goal } = task
    const play: PlaySteps = (part, of, onEvent) => this.#play(`${id}-${part}`, of, onEvent)
    const thinker = new ScriptedThinker(steps, play, this.#options.onEvent)
    this.#words.length = 0
    // An interrupt has ended the goal before this one, not the session.
    this.#ending = new AbortController()
    this.#isGoal = true
    this.#listens = true
    try {
      return await runPaor(this.#paorWorld(), { text: task.text, task: goal }, thinker)
    } finally {
      this.#isGoal = false
      this.#listens = false
    }
  }

  /** As an engine that holds to a schema: what was said last, read. */
  #formed(end: TurnEnd): TurnEnd {
    if (this.#options.schema === undefined || end.outcome !== 'done') return end
    try {
      return { ...end, structured: JSON.parse(end.text) }
    } catch {
      return { outcome: 'invalid', text: `The answer is not JSON: ${end.text.slice(0, 200)}` }
    }
  }

  #paorWorld(): PaorWorld {
    const { cwd, env, onEvent, onQuestion } = this.#options
    const { signal } = this.#ending
    return {
      signal,
      onEvent,
      onQuestion,
      verify: (command) => runVerify(command, { cwd, env, signal, sandbox: this.#sandbox }),
      hear: async () => this.#options.hear?.(),
      guidance: () => this.#words,
      isPlace: (name) => existsSync(join(cwd, name)),
      concluded: () => {
        this.#listens = false
      },
    }
  }

  async #play(
    id: string,
    steps: readonly Step[],
    onEvent: EngineOpen['onEvent'] = this.#options.onEvent,
  ): Promise<TurnEnd> {
    const confined = this.#confined
    if (confined.is === 'refused') return { outcome: 'invalid', text: confined.why }
    if (confined.warning !== null && !this.#isWarned) onEvent({ is: 'noted', text: confined.warning })
    this.#isWarned = true
    this.#turn = new ScriptedTurn({ ...this.#options, onEvent }, { id, steps }, confined)
    try {
      return await this.#turn.ended
    } finally {
      this.#turn = null
    }
  }

  async steer(text: string): Promise<boolean> {
    if (this.#isGoal && !this.#listens) return false
    this.#words.push(text)
    const taken = this.#turn?.steer(text) ?? false
    return this.#listens || taken
  }

  async interrupt(): Promise<void> {
    if (this.#isGoal) this.#ending.abort()
    this.#turn?.interrupt()
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    this.#ending.abort()
    await this.#turn?.stop(graceMs)
    if (this.#confined.is === 'ready') this.#confined.close()
  }
}

function nothingFor(path: string, { item, thought }: EngineTask): string {
  const task =
    thought === undefined ? 'a task without an item' : `a thought (${thought.kind}) about ${thought.subject}`
  const what = item === null ? task : `item #${item.number} "${item.title}"`
  return `The scenario ${path} has nothing for ${what}.`
}
