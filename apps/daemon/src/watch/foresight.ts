// Holds live branches against each other again and again, so that people see a conflict before it stops a merge.
import type { Config } from '@treadle/contracts/config'
import type { PredictedConflict } from '@treadle/contracts/conflict'
import {
  type ForesightWorld,
  NOTHING_FORESEEN,
  runForesight,
} from '@treadle/flow/merge/conflict/conflict.run'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

export interface ForesightDeps extends Omit<ForesightWorld, 'target'> {
  readonly target: () => string
  readonly config: () => Config
  readonly clock: Clock
  readonly log: Logger
}

export class Foresight {
  readonly deps: ForesightDeps
  #seen = NOTHING_FORESEEN
  #round: Promise<void> = Promise.resolve()
  #callOff: () => void = () => undefined
  #closed = false

  constructor(deps: ForesightDeps) {
    this.deps = deps
  }

  current(): readonly PredictedConflict[] {
    return this.#seen.conflicts
  }

  start(): void {
    this.#round = this.look()
    this.#callOff = this.deps.clock.after(this.deps.config().limits.foresightMs, () => {
      void this.#round.then(() => {
        if (!this.#closed) this.start()
      })
    })
  }

  async look(): Promise<void> {
    const { target, log } = this.deps
    try {
      this.#seen = await runForesight({ ...this.deps, target: target() }, this.#seen)
    } catch (error) {
      log.error({ err: error }, 'foresight')
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#callOff()
    await this.#round
  }
}
