// Metrics of an agent that has done nothing, for the tests of this folder.
import { AgentMetrics } from '@treadle/contracts/metrics'

export const rates = {
  completedPerDay: null,
  averageCycleMs: null,
  reviewPassRate: null,
  reviewsPerItem: null,
  mergePassRate: null,
  errorsPerItem: null,
  costPerItemUSD: null,
  costUSD: 0,
  uptime: null,
  firstPassSuccess: null,
  errors: 0,
  crashes: 0,
}

export function agentMetrics(given: Partial<AgentMetrics>): AgentMetrics {
  return AgentMetrics.parse({
    ...rates,
    agentId: 'agent-1',
    period: '7d',
    role: 'build',
    tasksCompleted: { total: 0, last24h: 0, last7d: 0, inPeriod: 0 },
    measuredSince: '2026-11-08T12:00:00.000Z',
    calculatedAt: '2026-11-15T12:00:00.000Z',
    stale: null,
    ...given,
  })
}
