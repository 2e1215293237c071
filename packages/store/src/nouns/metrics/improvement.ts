// Measurements of retrospectives: one row for each figure of a run.
import { ImprovementMetric } from '@treadle/contracts/metrics'
import type { ImprovementMetrics } from '@treadle/flow/ports/metrics'
import type { Database } from '../../driver/database.ts'
import { instant, real, text, uuid } from '../../driver/tables.ts'
import { migration015 } from '../../migrations/015-metrics.ts'
import type { StoreModule, StoreParts } from '../module.ts'

const tables = {
  improvement_metrics: { run_id: uuid, agent_id: text, metric: text, value: real, recorded_at: instant },
} as const
type Tables = typeof tables

export const improvementMetrics = {
  name: 'improvementMetrics',
  tables,
  migrations: [migration015],
  create: ({ database }: StoreParts<Tables>) => createImprovementMetrics(database),
} as const satisfies StoreModule

function createImprovementMetrics({ sql: db }: Database<Tables>): ImprovementMetrics {
  return {
    record: async (entries) => {
      if (entries.length === 0) return
      await db
        .insertInto('improvement_metrics')
        .values(
          entries.map(({ runId, agentId, metric, value, recordedAt }) => ({
            run_id: runId,
            agent_id: agentId,
            metric,
            value,
            recorded_at: new Date(recordedAt),
          })),
        )
        .onConflict((on) => on.columns(['run_id', 'metric']).doNothing())
        .execute()
    },
    list: async ({ agentId, metric, limit }) => {
      let query = db
        .selectFrom('improvement_metrics')
        .selectAll()
        .orderBy('recorded_at', 'desc')
        .orderBy('run_id')
        .orderBy('metric')
        .limit(limit)
      if (agentId !== undefined) query = query.where('agent_id', '=', agentId)
      if (metric !== undefined) query = query.where('metric', '=', metric)
      return (await query.execute()).map((row) =>
        ImprovementMetric.parse({
          runId: row.run_id,
          agentId: row.agent_id,
          metric: row.metric,
          value: row.value,
          recordedAt: row.recorded_at.toISOString(),
        }),
      )
    },
  }
}
