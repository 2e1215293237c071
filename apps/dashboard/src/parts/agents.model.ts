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
