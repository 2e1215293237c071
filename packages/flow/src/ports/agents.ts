// Agents as rows, with their signs of life.
import type { Agent, AgentStatus, AgentWanted, Heartbeat } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'

export interface AgentPatch {
  readonly status?: AgentStatus
  readonly wanted?: AgentWanted
  readonly pid?: number | null
  readonly pidStarted?: string | null
  readonly frozenAt?: Date | null
  readonly phase?: string | null
  readonly lastError?: string | null
  readonly errorCount?: number
  readonly tasksCompleted?: number
  /** Measurements of before do not count any more; nothing is deleted. */
  readonly metricsSince?: Date | null
  readonly restarts?: number
  readonly startedAt?: Date | null
}

/** Health and substate are judged by the flow, not stored. */
export type AgentRow = Omit<Agent, 'health' | 'substate'>

export interface Agents {
  /** Makes the row if there is none. */
  ensure(id: AgentId, at: Date): Promise<AgentRow>
  find(id: AgentId): Promise<AgentRow | null>
  list(): Promise<AgentRow[]>
  patch(id: AgentId, patch: AgentPatch): Promise<void>
  /** False if the agent was no longer what it is to be changed from, or something else is wanted of it by now. */
  moveStatus(
    id: AgentId,
    from: { status: AgentStatus; wanted: AgentWanted },
    to: AgentStatus,
  ): Promise<boolean>
  /** Stores the sign of life and keeps the last ten; status and process stay as they are. With `ofPid`, only if that is the process. */
  beat(id: AgentId, beat: Heartbeat, at: Date, ofPid?: number): Promise<void>
  /** The last ten, newest first. */
  beats(id: AgentId): Promise<Heartbeat[]>
  /** Restarts recorded since a moment, for the restart limit. */
  restartsSince(id: AgentId, since: Date): Promise<number>
  countRestart(id: AgentId, at: Date): Promise<void>
  /** A new chance: the restarts of the last hour no longer count. */
  forgiveRestarts(id: AgentId): Promise<void>
}
