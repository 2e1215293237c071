// Times of agents: what they were at, how long, and what went wrong.
import type { MetricsWindow } from '@treadle/flow/ports/metrics'
import { sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { agentErrors } from '../agents/errors.ts'

export interface Failed {
  readonly agent_id: string
  /** After the reset of the agent, if there was one. */
  readonly fresh: boolean
  readonly errors: number
  readonly crashes: number
}

export async function failures(db: Sql, { since }: MetricsWindow): Promise<Failed[]> {
  const { rows } = await sql<Failed>`
    select failed.agent_id, (metrics_since is null or failed.at >= metrics_since) as fresh,
      count(*)::integer as errors,
      count(*) filter (where failed.type = 'agent.crashed')::integer as crashes
    from ${agentErrors(since)} failed left join agents on agents.id = failed.agent_id
    where failed.agent_id is not null group by failed.agent_id, fresh`.execute(db)
  return rows
}

export interface InHand {
  /** The agent; null: anybody. */
  readonly agent_id: string | null
  readonly fresh: boolean
  readonly items: number
}

export async function itemsInHand(db: Sql, { since }: MetricsWindow): Promise<InHand[]> {
  const { rows } = await sql<InHand>`
    with held as (
      select runs.agent_id, (project_number::bigint << 32) + item_number as item,
        (metrics_since is null or ended_at is null or ended_at >= metrics_since) as fresh
      from runs left join agents on agents.id = runs.agent_id
      where ended_at >= ${since} or ended_at is null
    )
    select agent_id, coalesce(fresh, true) as fresh, count(distinct item)::integer as items
    from held group by grouping sets ((agent_id, fresh), ())`.execute(db)
  return rows
}

export interface Busy {
  readonly agent_id: string
  readonly busy_ms: number
  readonly known_ms: number
}

/**
 * From one change of the status to the next. Where no daemon ran nothing was seen: from the last thing that was
 * recorded until a daemon started again, nobody counts as busy.
 */
export async function busyTimes(db: Sql, { now, since }: MetricsWindow): Promise<Busy[]> {
  const { rows } = await sql<Busy>`
    with member as (
      select id, greatest(${since}::timestamptz, metrics_since, created_at) as since from agents
    ), change as (
      select member.id, member.since, events.seq, events.at, events.payload ->> 'to' as status
      from member join events on events.agent_id = member.id and events.at >= member.since
      where events.type = 'agent.status_changed' and events.at >= ${since} and events.at < ${now}::timestamptz
      union all
      select member.id, member.since, before.seq, member.since, before.status
      from member cross join lateral (
        select seq, payload ->> 'to' as status from events
        where agent_id = member.id and type = 'agent.status_changed' and at < member.since
        order by at desc, seq desc limit 1
      ) before
    ), span as (
      select id, since, status,
        tstzrange(at, greatest(at, lead(at, 1, ${now}::timestamptz) over (partition by id order by at, seq))) as during
      from change
    ), away as (
      select range_agg(tstzrange(least(before.at, started.at), started.at)) as during
      from events started cross join lateral (
        select at from events where events.seq < started.seq order by seq desc limit 1
      ) before
      where started.type = 'daemon.started' and started.at >= ${since}
    ), busy as (
      select id, since, range_agg(during) filter (where status in ('working', 'reviewing', 'ideating')) as during
      from span group by id, since
    )
    select busy.id as agent_id,
      (extract(epoch from ${now}::timestamptz - busy.since) * 1000)::double precision as known_ms,
      coalesce((
        select sum(extract(epoch from upper(part) - lower(part)) * 1000)
        from unnest(busy.during - coalesce((select during from away), '{}'::tstzmultirange)) as parts (part)
      ), 0)::double precision as busy_ms
    from busy where busy.since < ${now}::timestamptz`.execute(db)
  return rows
}

export interface FirstPass {
  readonly agent_id: string
  readonly fresh: boolean
  readonly sum: number
  readonly runs: number
}

export async function firstPasses(db: Sql, { since }: MetricsWindow): Promise<FirstPass[]> {
  const { rows } = await sql<FirstPass>`
    select improvement_metrics.agent_id, (metrics_since is null or recorded_at >= metrics_since) as fresh,
      sum(value)::double precision as sum, count(*)::integer as runs
    from improvement_metrics left join agents on agents.id = improvement_metrics.agent_id
    where metric = 'first_pass_success' and recorded_at >= ${since}
    group by improvement_metrics.agent_id, fresh`.execute(db)
  return rows
}
