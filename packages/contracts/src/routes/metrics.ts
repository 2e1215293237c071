// How agents and the crew do, calculated from what is recorded.
import { z } from 'zod'
import { AgentId } from '../ids.ts'
import { AgentMetrics, CrewMetrics, ImprovementMetric, MetricsPeriod } from '../metrics.ts'
import { MetricsReport } from '../metrics-report.ts'
import { agentPath, page, route } from '../route.ts'

const period = z.strictObject({ period: MetricsPeriod.default('7d') })
const NO_FIGURES = { 503: 'The figures could not be calculated, and there are none of before' }

export const metricsRoutes = {
  agentMetrics: route({
    method: 'GET',
    path: '/api/agents/:id/metrics',
    key: 'crew',
    summary: 'How an agent does; the last known figures, marked stale, if they cannot be calculated',
    params: agentPath,
    query: period,
    response: AgentMetrics,
    problems: { 404: 'There is no such agent', ...NO_FIGURES },
  }),
  crewMetrics: route({
    method: 'GET',
    path: '/api/metrics',
    key: 'crew',
    summary: 'How all agents do, side by side and together, and whether the queue feeds them',
    query: period,
    response: CrewMetrics,
    problems: NO_FIGURES,
  }),
  metricsReport: route({
    method: 'GET',
    path: '/api/metrics/report',
    key: 'crew',
    summary:
      "What a day, a week or a month has brought, beside the span before it, with the crew's own improvements",
    query: period,
    response: MetricsReport,
  }),
  listImprovementMetrics: route({
    method: 'GET',
    path: '/api/improvement-metrics',
    key: 'crew',
    summary: 'What looks back on runs have measured, the newest first',
    query: z.strictObject({
      agentId: AgentId.optional(),
      metric: ImprovementMetric.shape.metric.optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    response: page(ImprovementMetric),
  }),
} as const
