// The scripted engine: plays a scenario file instead of asking a model. Deterministic, with real processes.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports'
import { chooseScript, readScenario } from './scenario.ts'
import { Turn } from './turn.ts'

const HINT = 'set engines.scripted.scenario in treadle.json'

export interface ScriptedSettings {
  /** Path of the scenario file; a relative one starts at the current folder. */
  readonly scenario: string | null
}

export function openScripted(settings: ScriptedSettings): Engine {
  const path = settings.scenario === null ? null : resolve(settings.scenario)
  return {
    id: 'scripted',
    takes: 'groups',
    isFree: () => path === null || costsNothing(path),
    async probe() {
      if (path === null) return { is: 'unusable', why: 'The scripted engine has no scenario.', hint: HINT }
      const read = readScenario(path)
      if (read.is === 'faulty') return { is: 'unusable', why: read.why, hint: `correct ${path}, or ${HINT}` }
      return { is: 'usable', note: `plays ${path} (${read.scenario.items.length} items)` }
    },
    async open(options) {
      return new ScriptedSession(path, options)
    },
  }
}

/** A scenario in which no step says that it has cost something. */
function costsNothing(path: string): boolean {
  const read = readScenario(path)
  if (read.is === 'faulty') return true
  const { items, otherwise } = read.scenario
  const scripts = [...items, ...(otherwise === undefined ? [] : [otherwise])].flatMap((each) => each.attempts)
  return !scripts.flat().some((step) => step.is === 'use' && (step.usd ?? 0) > 0)
}

class ScriptedSession implements EngineSession {
  readonly #path: string | null
  readonly #options: EngineOpen
  #turn: Turn | null = null
  #stopped = false

  constructor(path: string | null, options: EngineOpen) {
    this.#path = path
    this.#options = options
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(this.#turn === null, 'a session plays one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    if (this.#path === null) return { outcome: 'invalid', text: `No scenario: ${HINT}` }
    const read = readScenario(this.#path)
    if (read.is === 'faulty') return { outcome: 'invalid', text: read.why }
    const steps = chooseScript(read.scenario, task)
    if (steps === null) return { outcome: 'refused', text: nothingFor(this.#path, task) }
    this.#turn = new Turn(this.#options, { id: `${task.item?.number ?? 'task'}-${task.attempt}`, steps })
    try {
      return await this.#turn.ended
    } finally {
      this.#turn = null
    }
  }

  async interrupt(): Promise<void> {
    this.#turn?.interrupt()
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    await this.#turn?.stop(graceMs)
  }
}

function nothingFor(path: string, { item }: EngineTask): string {
  const what = item === null ? 'a task without an item' : `item #${item.number} "${item.title}"`
  return `The scenario ${path} has nothing for ${what}.`
}
