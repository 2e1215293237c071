// Holds live branches against each other again and again, so that people see a conflict before it stops a merge.
import type { Config } from '@treadle/contracts/config'
import type { PredictedConflict } from '@treadle/contracts/conflict'
import { EMPTY_FORECAST, type ForecastWorld, runForecast } from '@treadle/flow/merge/conflict/conflict.run'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

export interface ConflictForecastDeps extends Omit<ForecastWorld, 'target'> {
  readonly target: () => string
  readonly config: () => Config
  readonly clock: Clock
  readonly log: Logger
}

export class ConflictForecast {
  readonly deps: ConflictForecastDeps
  #seen = EMPTY_FORECAST
  #round: Promise<void> = Promise.resolve()
  #callOff: () => void = () => undefined
  #closed = false

  constructor(deps: ConflictForecastDeps) {
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
      this.#seen = await runForecast({ ...this.deps, target: target() }, this.#seen)
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
