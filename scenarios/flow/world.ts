// The flow on a real store with a clock that tests move by hand.
import { randomUUID } from 'node:crypto'
import type { AgentHealth } from '@treadle/contracts/agent'
import type { Config } from '@treadle/contracts/config'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { bindAdvance } from '@treadle/flow/advance'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import type { Advance, AdvanceClaim } from '@treadle/flow/ports/moving'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import type { OpenStore } from '@treadle/store/connect'
import { newItem, newProject } from '@treadle/store/testing/both-drivers'

export class FlowWorld {
  readonly store: OpenStore
  readonly uuid = randomUUID
  time = new Date('2026-01-02T03:04:05.000Z')
  settings: Config = sampleConfig()
  health = new Map<AgentId, AgentHealth>()
  readonly consequences = CONSEQUENCES

  readonly advance: Advance
  readonly advanceClaim: AdvanceClaim

  constructor(store: OpenStore) {
    this.store = store
    const { advance, advanceClaim } = bindAdvance(this)
    this.advance = advance
    this.advanceClaim = advanceClaim
  }
  now = () => this.time
  config = () => this.settings
  restsOn = () => 'sandbox' as const
  /** No repository here has what the tests deliver. */
  examine = async () => ({ is: 'missing' }) as const
  healthOf = async (id: AgentId) => this.health.get(id) ?? null

  wait(ms: number): void {
    this.time = new Date(this.time.getTime() + ms)
  }

  async add(): Promise<ItemRef> {
    const { projectNumber, number } = await this.store.items.add(
      newItem({ projectNumber: newProject() }),
      this.time,
    )
    return { projectNumber, number }
  }
}
