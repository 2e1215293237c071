// Is an agent well? Judged by its last sign of life; who is told to be quiet is not sick.
import type { AgentHealth, AgentStatus, AgentSubstate, AgentWanted } from '@treadle/contracts/agent'

export interface HealthFacts {
  readonly now: number
  readonly status: AgentStatus
  readonly lastHeartbeatAt: number | null
  readonly limits: { readonly degradedMs: number; readonly unresponsiveMs: number }
}

export function judgeHealth({ now, status, lastHeartbeatAt, limits }: HealthFacts): AgentHealth {
  if (status === 'paused' || status === 'stopped') return 'healthy'
  if (status === 'crashed' || status === 'failed' || lastHeartbeatAt === null) return 'unresponsive'
  const silence = now - lastHeartbeatAt
  if (silence > limits.unresponsiveMs) return 'unresponsive'
  return silence >= limits.degradedMs ? 'degraded' : 'healthy'
}

export interface PauseFacts {
  readonly wanted: AgentWanted
  readonly pid: number | null
  readonly frozenAt: string | null
}

/** How far a pause has come; null where none is under way, or nobody is there to be halted. */
export function judgeSubstate({ wanted, pid, frozenAt }: PauseFacts): AgentSubstate | null {
  if (wanted !== 'paused' || pid === null) return null
  return frozenAt === null ? 'draining' : 'frozen'
}
