// The work of an agent that failed, given to others by load. Pure.
import type { AgentStatus, AgentWanted } from '@treadle/contracts/agent'
import { type AgentId, agentNumber, type ItemRef } from '@treadle/contracts/ids'
import { byQueueOrder, type Item } from '@treadle/contracts/item'

export interface AgentLoad {
  readonly id: AgentId
  readonly status: AgentStatus
  readonly wanted: AgentWanted
  /** Items that it has in hand, and those that are kept for it. */
  readonly load: number
}

export interface Assignment {
  readonly task: ItemRef
  readonly from: AgentId
  readonly to: AgentId
  /** What the one that takes it up has, this one included. */
  readonly load: number
}

/** Numbered agents that are to run and do; a reviewer builds nothing. */
export function isRunning({ id, status, wanted }: Pick<AgentLoad, 'id' | 'status' | 'wanted'>): boolean {
  const down = status === 'failed' || status === 'crashed' || status === 'stopped'
  return agentNumber(id) !== null && wanted === 'running' && !down
}

/** Each task goes to whoever has least at that moment; with nobody to take them none goes anywhere. */
export function redistribute(
  from: AgentId,
  tasks: readonly Pick<Item, 'projectNumber' | 'number' | 'priority' | 'rank'>[],
  agents: readonly AgentLoad[],
): Assignment[] {
  const loads = new Map(
    agents.filter((agent) => agent.id !== from && isRunning(agent)).map(({ id, load }) => [id, load]),
  )
  return tasks.toSorted(byQueueOrder).flatMap(({ projectNumber, number }) => {
    const [least] = [...loads].toSorted(([one, a], [other, b]) => a - b || compareNames(one, other))
    if (least === undefined) return []
    const [to, load] = [least[0], least[1] + 1]
    loads.set(to, load)
    return [{ task: { projectNumber, number }, from, to, load }]
  })
}

function compareNames(one: AgentId, other: AgentId): number {
  return (agentNumber(one) ?? 0) - (agentNumber(other) ?? 0)
}
