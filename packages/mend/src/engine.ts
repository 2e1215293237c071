// The engine mend: puts right what a survey has found, without a model, where a program can.
import assert from 'node:assert/strict'
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { type MendSettings, runMend } from './turn.ts'

/** Without settings it can be asked what it is, and nothing else. */
export function openMend(settings: MendSettings | null): Engine {
  return {
    id: 'mend',
    isFree: () => true,
    takes: 'all',
    async probe() {
      return { is: 'usable', note: 'no model: puts right findings of treadle survey that a program can' }
    },
    async open(options) {
      assert(settings !== null, 'mend was opened without a way to read a worktree')
      return new MendSession(settings, options)
    },
  }
}

class MendSession implements EngineSession {
  readonly #settings: MendSettings
  readonly #options: EngineOpen
  #abort: AbortController | null = null
  #ended: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(settings: MendSettings, options: EngineOpen) {
    this.#settings = settings
    this.#options = options
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(this.#abort === null, 'a session plays one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    const abort = new AbortController()
    this.#abort = abort
    try {
      const running = runMend(this.#settings, this.#options, { task, signal: abort.signal })
      this.#ended = running.catch(() => undefined)
      return await running
    } finally {
      this.#abort = null
    }
  }

  async interrupt(): Promise<void> {
    this.#abort?.abort()
  }

  async stop(_graceMs: number): Promise<void> {
    this.#stopped = true
    this.#abort?.abort()
    await this.#ended
  }
}
