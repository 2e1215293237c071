import type { CrewMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import type { metricsRoutes } from '@treadle/contracts/routes/metrics'
import { type MetricsMemory, runMetrics } from '@treadle/flow/supervise/metrics/metrics.run'
import { runMetricsReport } from '@treadle/flow/supervise/metrics/report.run'
import type { World } from '../world.ts'
import { type HandlersOf, perDaemon } from './handler.ts'
import { ProblemError } from './problem.ts'

/** The last known figures live as long as the daemon. */
const memoryOf = perDaemon((): MetricsMemory => new Map())

export const metricsHandlers = {
  crewMetrics(world, { query }) {
    return figures(world, query.period)
  },

  async agentMetrics(world, { params, query }) {
    const { agents } = await figures(world, query.period)
    const found = agents.find(({ agentId }) => agentId === params.id)
    if (found === undefined)
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no agent ${params.id}.`,
        hint: 'treadle agents lists those there are.',
      })
    return found
  },

  metricsReport(world, { query }) {
    return runMetricsReport(world, query.period)
  },

  async listImprovementMetrics(world, { query }) {
    return { items: await world.store.improvementMetrics.list(query) }
  },
} satisfies HandlersOf<typeof metricsRoutes>

async function figures(world: World, asked: MetricsPeriod): Promise<CrewMetrics> {
  const { store, now, config, log } = world
  const measured = await runMetrics(
    {
      store,
      now,
      config,
      onFailing: (period, error) => log.error({ err: error, period }, 'metrics could not be calculated'),
      onMended: (period) => log.info({ period }, 'metrics can be calculated again'),
    },
    memoryOf(world),
    asked,
  )
  if (measured.is === 'measured') return measured.figures
  throw new ProblemError(503, {
    code: 'store_unavailable',
    message: `The metrics could not be calculated, and there are none of before: ${measured.stale.why}`,
    hint: 'Try again; if it stays, see .treadle/logs/daemon.log',
  })
}
