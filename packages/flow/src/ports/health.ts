// What the health checks need of the store. Types only.
import type { AgentId } from '@treadle/contracts/ids'

export interface AgentHealthCounts {
  readonly agentId: AgentId
  /** When it last did something that was recorded. */
  readonly progressAt: Date | null
  /** Within the time that was asked about. */
  readonly errors: number
  readonly crashes: number
}

export interface LoopHealthCounts {
  /** Items that an agent could claim now. */
  readonly queued: number
  /** Items that an agent has in hand. */
  readonly held: number
  /** When anything about any item was last recorded. */
  readonly movedAt: Date | null
}

/** Counted by the database from what is recorded. */
export interface HealthCounts {
  ofAgents(ids: readonly AgentId[], since: Date): Promise<AgentHealthCounts[]>
  ofLoop(): Promise<LoopHealthCounts>
}
