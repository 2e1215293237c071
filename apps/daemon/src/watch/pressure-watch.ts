// Looks again and again whether the machine has enough for more work, and tells when that begins and ends.
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import {
  isPressed,
  judgePressure,
  type MachineLoad,
  NO_PRESSURE,
  type Pressure,
  pressureHold,
  pressureWords,
} from '@treadle/flow/claim/pressure'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { Store } from '@treadle/flow/ports/store'
import type { Logger } from 'pino'
import { machineLoad } from './machine-load.ts'

interface PressureDeps {
  readonly store: Pick<Store, 'agents' | 'events'>
  readonly config: () => Config
  readonly now: () => Date
  readonly uuid: () => string
  readonly log: Logger
  /** Agents of another daemon work on another machine, or count there. */
  readonly isElsewhere: (row: AgentRow) => boolean
  /** There is enough again. */
  readonly onEnough: () => void
}

export class PressureWatch {
  readonly deps: PressureDeps
  #load: MachineLoad = machineLoad()
  #pressure: Pressure = NO_PRESSURE
  #since: Date | null = null
  #isRead = false

  constructor(deps: PressureDeps) {
    this.deps = deps
  }

  /** Part of every sweep. What began before this daemon did is not told a second time. */
  async look(): Promise<void> {
    const { config, log, onEnough } = this.deps
    if (!this.#isRead) await this.#readTold()
    this.#load = machineLoad()
    const was = this.#pressure
    this.#pressure = judgePressure(this.#load, config().limits, was)
    if (isPressed(was) === isPressed(this.#pressure)) return
    const { memory, load } = this.#pressure
    const why = this.words().join(', and ')
    this.#since = isPressed(this.#pressure) ? this.deps.now() : null
    if (this.#since === null) {
      onEnough()
      log.info('the machine has enough again')
      const { memoryFreeMb } = this.#load
      await this.#tell({ type: 'resources.enough', memoryFreeMb, load: this.#load.load })
    } else {
      log.warn({ why }, 'fewer agents claim')
      await this.#tell({ type: 'resources.short', why, memory, load })
    }
  }

  /** One sentence for each shortage. */
  words(): string[] {
    return pressureWords(this.#load, this.deps.config().limits, this.#pressure)
  }

  /** Why nobody claims more; null: whoever asks may. */
  async hold(asks: string | null): Promise<string | null> {
    const words = this.words()
    if (words.length === 0) return null
    const { store, isElsewhere } = this.deps
    // Who is halted by a pause keeps what it has, and is not at work on it.
    const others = (await store.agents.list()).filter(
      (row) => row.item !== null && row.frozenAt === null && row.id !== asks && !isElsewhere(row),
    )
    return pressureHold(words, others.length)
  }

  found(): MachineLoad & { readonly since: Date | null } {
    return { ...this.#load, since: this.#since }
  }

  /** A daemon that was ended under pressure has told of its beginning. */
  async #readTold(): Promise<void> {
    const { events } = this.deps.store
    const newest = async (type: 'resources.short' | 'resources.enough') =>
      (await events.newest({ type, limit: 1 }))[0]
    const began = await newest('resources.short')
    const ended = await newest('resources.enough')
    this.#isRead = true
    if (began?.event.type !== 'resources.short') return
    if (ended !== undefined && Date.parse(ended.at) >= Date.parse(began.at)) return
    const { memory, load } = began.event
    this.#pressure = { memory, load }
    this.#since = new Date(began.at)
  }

  async #tell(event: Fact): Promise<void> {
    const { store, now, uuid } = this.deps
    const about = { item: null, agentId: null, runId: null, state: null }
    await store.events.append({ id: uuid(), at: now(), ...about, event })
  }
}
