// Is an agent well? Judged by its last sign of life; who is told to be quiet is not sick.
import type { AgentHealth, AgentStatus } from '@treadle/contracts/agent'

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
  return silence > limits.degradedMs ? 'degraded' : 'healthy'
}
