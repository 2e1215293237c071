// What a turn may use, and the end of one that gets nowhere.
import type { Config } from '@treadle/contracts/config'
import type { Engine, EngineEvent, EngineSession, EngineTask, TurnLimits } from '../ports/engine.ts'
import { type TurnNotice, TurnWatch } from './turn-watch.ts'

interface BrakeWorld {
  readonly config: Config
}

interface Braked {
  readonly engine: Engine
  readonly task: EngineTask
}

/** An engine that drives a goal itself does so in one turn. */
export function limitsOf({ config }: BrakeWorld, { plans }: Engine, { goal }: EngineTask): TurnLimits {
  const { steps, turnMs } = config.limits
  const turns = plans === true && goal !== undefined ? goal.iterationsMax : 1
  return { steps: steps * turns, ms: turnMs * turns }
}

/** Ends a turn that gets nowhere, after the model was told so. */
export class TurnBrake {
  readonly #watch: TurnWatch
  session: EngineSession | null = null
  /** Why the turn was ended. */
  over: string | null = null

  /** How long the turn may take; null: the engine holds that limit itself. */
  readonly ms: number | null

  constructor(world: BrakeWorld, { engine, task }: Braked) {
    const { steps = null, ms = null } = engine.holdsLimits === true ? {} : limitsOf(world, engine, task)
    this.ms = ms
    this.#watch = new TurnWatch({ steps, stuckAfter: world.config.limits.stuckAfter })
  }

  hear(event: EngineEvent): void {
    const found = this.#noticed(event)
    if (found?.is === 'told') void this.session?.steer?.(found.text)
    if (found?.is !== 'over' || this.over !== null) return
    this.over = found.text
    void this.session?.interrupt()
  }

  /** Ends the turn because it has taken as long as it may. */
  late(): void {
    if (this.over !== null) return
    const minutes = Math.round((this.ms ?? 0) / 60_000)
    this.over = `The turn has taken ${minutes} minutes, which is its limit (limits.turnMs).`
    void this.session?.interrupt()
  }

  #noticed(event: EngineEvent): TurnNotice | null {
    if (event.is === 'began') return this.#watch.began()
    return event.is === 'observed' ? this.#watch.observed(event.observation) : null
  }
}
