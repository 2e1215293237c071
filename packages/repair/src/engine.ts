// The repair engine: searches for a small edit instead of asking a model, and says what it did in plain words.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { sandboxNote } from '@treadle/sandbox/note'
import type { RepairResult } from './result.ts'
import type { RepairSettings } from './settings.ts'
import { Turn } from './turn.ts'

export function openRepair(settings: RepairSettings): Engine {
  return {
    id: 'repair',
    isFree: () => true,
    takes: 'all',
    async probe() {
      const sandbox = await sandboxNote(settings.sandbox.mode)
      if (sandbox.is === 'unusable') return sandbox
      return {
        is: 'usable',
        note: `repair search, no model: needs a failing test in JavaScript or TypeScript; candidates ${sandbox.note}`,
      }
    },
    async open(options) {
      return new RepairSession(settings, options)
    },
  }
}

class RepairSession implements EngineSession {
  readonly #settings: RepairSettings
  readonly #options: EngineOpen
  #abort: AbortController | null = null
  #ended: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(settings: RepairSettings, options: EngineOpen) {
    this.#settings = settings
    this.#options = options
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(this.#abort === null, 'a session plays one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    const abort = new AbortController()
    this.#abort = abort
    try {
      const turn = new Turn(this.#settings, this.#options, abort.signal)
      const running = turn.run(task)
      this.#ended = running.catch(() => undefined)
      const { end, report } = await running
      this.#write(report)
      return end
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

  #write(report: RepairResult): void {
    const file = this.#settings.reportFile ?? null
    if (file !== null) writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  }
}
