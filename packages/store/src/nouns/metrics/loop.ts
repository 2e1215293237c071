// Whether the crew keeps itself busy.
import { CATEGORIES } from '@treadle/contracts/categories'
import type { LoopTally, MetricsWindow } from '@treadle/flow/ports/metrics'
import { sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { CLAIMABLE_SQL } from '../items/items.ts'

const LABEL = 'category:'
/** Word for word as in the index of items that have a category. */
const CATEGORISED = `jsonb_path_exists(labels, '$[*] ? (@ starts with "${LABEL}")')`

interface LoopRow {
  readonly queued: number
  readonly gap_ms: number
  readonly gaps: number
  readonly ideated: boolean
  readonly agents: number
  readonly whole: number
  readonly categorised: boolean
  readonly categories: number
}

export async function countLoop(db: Sql, { now, since }: MetricsWindow): Promise<LoopTally> {
  const labels = CATEGORIES.map((name) => `${LABEL}${name}`)
  const { rows } = await sql<LoopRow>`
    with gap as (
      select extract(epoch from next_at - ended_at) * 1000 as ms
      from (
        select runs.ended_at, runs.outcome, agents.metrics_since,
          lead(runs.started_at) over (partition by runs.agent_id order by runs.started_at, runs.fence) as next_at
        from runs left join agents on agents.id = runs.agent_id
        where runs.ended_at >= ${since} or runs.ended_at is null
      ) run
      where outcome = 'success' and next_at >= ended_at and (metrics_since is null or ended_at >= metrics_since)
    ), circle as (
      select agents.id, coalesce(string_agg(step.what, '' order by step.at, step.what), '')
        like '%w%r%i%w%' as whole, agents.wanted = 'running' or count(step.what) > 0 as present
      from agents left join (
        select agent_id, at, left(payload ->> 'to', 1) as what from events
        where type = 'agent.status_changed' and at > ${now}::timestamptz - interval '24 hours'
          and payload ->> 'to' in ('working', 'reviewing', 'ideating')
        union all
        select agent_id, decided_at, 'r' from reviews
        where decided_at > ${now}::timestamptz - interval '24 hours' and decided_at <= ${now}::timestamptz
      ) step on step.agent_id = agents.id
      where agents.id <> 'review-agent' and agents.id not like 'review-agent-%'
      group by agents.id
    ), category as (
      select distinct label from items cross join lateral jsonb_array_elements_text(labels) as named (label)
      where ${sql.raw(CATEGORISED)} and created_at > ${now}::timestamptz - interval '30 days'
    )
    select (select count(*)::integer from items where ${sql.raw(CLAIMABLE_SQL)}) as queued,
      (select coalesce(sum(ms), 0)::double precision from gap) as gap_ms,
      (select count(*)::integer from gap) as gaps,
      exists (select from events where type = 'agent.status_changed' and payload ->> 'to' = 'ideating'
        and at > ${now}::timestamptz - interval '30 days') as ideated,
      (select count(*)::integer from circle where present) as agents,
      (select count(*)::integer from circle where whole) as whole,
      exists (select from items where ${sql.raw(CATEGORISED)}) as categorised,
      (select count(*)::integer from category where label in (${sql.join(labels)})) as categories`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without a from clause has one row')
  return {
    queueDepth: row.queued,
    handoffMs: row.gap_ms,
    handoffs: row.gaps,
    circle: row.ideated ? { agents: row.agents, whole: row.whole } : null,
    categories: row.categorised ? row.categories : null,
  }
}
