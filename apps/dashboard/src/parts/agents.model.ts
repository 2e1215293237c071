// Agents as every screen names and orders them.
import type { Agent, AgentStatus } from '@treadle/contracts/agent'
import { agentNumber } from '@treadle/contracts/ids'

const STATUS_WORDS: Record<AgentStatus, string> = {
  idle: 'Idle',
  working: 'Working',
  reviewing: 'Reviewing',
  ideating: 'Ideating',
  paused: 'Paused',
  stopped: 'Stopped',
  crashed: 'Crashed',
  failed: 'Failed',
}
export function statusWords(status: AgentStatus): string {
  return STATUS_WORDS[status]
}

/** Agents by number; reviewers last. */
export function orderAgents(agents: readonly Agent[]): Agent[] {
  const rank = ({ id }: Agent) => agentNumber(id) ?? Number.MAX_SAFE_INTEGER
  return agents.toSorted((a, b) => rank(a) - rank(b))
}

/** The number of agents once one more runs; null if there are as many as there may be. */
export function oneMore(agents: readonly Agent[], maxConcurrent: number): number | null {
  const running = runningOf(agents)
  return running < maxConcurrent ? running + 1 : null
}

/** Numbered agents that are to run; reviewers do not count. */
export function runningOf(agents: readonly Agent[]): number {
  return agents.filter(({ id, wanted }) => agentNumber(id) !== null && wanted !== 'stopped').length
}
