// Figures of how agents and the loop are doing, counted by the database.
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentHealthCounts, HealthCounts, LoopHealthCounts } from '@treadle/flow/ports/health'
import { sql } from 'kysely'
import type { Database } from '../../driver/database.ts'
import { CLAIMABLE_SQL } from '../items/items.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import { agentErrors } from './errors.ts'

export const healthCounts = {
  name: 'healthCounts',
  tables: {},
  migrations: [],
  create: ({ database }: StoreParts) => createHealthCounts(database),
} as const satisfies StoreModule

/** Said about an agent, not by it. */
const NO_PROGRESS = ['order.given', 'agent.status_refused', 'recovery.acted']
/** Told of an item by the monitor and the PM agent, and by nobody who works on it. */
const NO_MOVE = ['alert.stuck_task', 'pm.decided', 'decision.requested', 'decision.made', 'question.asked']

function createHealthCounts({ sql: db }: Database): HealthCounts {
  return {
    ofAgents: async (ids, since): Promise<AgentHealthCounts[]> => {
      if (ids.length === 0) return []
      const { rows } = await sql<{ id: string; progress_at: Date | null; errors: number; crashes: number }>`
        select agents.id,
          (select at from events where agent_id = agents.id and type not in (${sql.join(NO_PROGRESS)})
            order by seq desc limit 1) as progress_at,
          coalesce(recent.errors, 0) as errors, coalesce(recent.crashes, 0) as crashes
        from agents left join lateral (
          select count(*)::integer as errors,
            count(*) filter (where failed.type = 'agent.crashed')::integer as crashes
          from ${agentErrors(since)} failed
          where failed.agent_id = agents.id and (agents.metrics_since is null or failed.at >= agents.metrics_since)
        ) recent on true
        where agents.id in (${sql.join([...ids])})`.execute(db)
      return rows.map(({ id, progress_at, errors, crashes }) => ({
        agentId: id as AgentId,
        progressAt: progress_at,
        errors,
        crashes,
      }))
    },
    ofLoop: async (): Promise<LoopHealthCounts> => {
      const { rows } = await sql<{ queued: number; held: number; moved_at: Date | null }>`
        select
          (select count(*)::integer from items where ${sql.raw(CLAIMABLE_SQL)}) as queued,
          (select count(*)::integer from items where claimed_by_agent_id is not null) as held,
          (select at from events where item_number is not null and type not in (${sql.join(NO_MOVE)})
            order by seq desc limit 1) as moved_at`.execute(db)
      const [row] = rows
      return { queued: row?.queued ?? 0, held: row?.held ?? 0, movedAt: row?.moved_at ?? null }
    },
  }
}
