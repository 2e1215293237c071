// Items and reviews that were brought to an end: items by those who build, reviews by those who review.
import type { MetricsWindow } from '@treadle/flow/ports/metrics'
import { sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'

export interface Completed {
  readonly agent_id: string
  /** After the reset of the agent, if there was one. */
  readonly fresh: boolean
  readonly total: number
  readonly last_24h: number
  readonly last_7d: number
  readonly in_period: number
  readonly cycle_ms: number
  readonly cycles: number
  readonly reviews: number
  readonly reviewed_items: number
  /** Different items among those of the period. */
  readonly items: number
  readonly micros: number
  readonly merges_failed: number
}

/** The run that was delivered says whose item it was; the index has these types by their names. */
export async function completed(db: Sql, { now, since }: MetricsWindow): Promise<Completed[]> {
  const { rows } = await sql<Completed>`
    with ended as (
      select runs.agent_id, runs.project_number, runs.item_number, events.at,
        events.type <> 'merge.failed' as done, events.at >= ${since}::timestamptz as inside,
        (agents.metrics_since is null or events.at >= agents.metrics_since) as fresh
      from events join runs on runs.id = events.run_id left join agents on agents.id = runs.agent_id
      where events.type in ('merge.landed', 'merge.delivered', 'merge.failed')
    ), details as (
      select ended.agent_id, ended.fresh,
        count(*)::integer as items,
        coalesce(sum(extract(epoch from ended.at - claimed.at) * 1000), 0)::double precision as cycle_ms,
        count(claimed.at)::integer as cycles,
        coalesce(sum(cost.micros), 0)::double precision as micros,
        coalesce(sum(nullif(review.count, 0)), 0)::integer as reviews,
        count(nullif(review.count, 0))::integer as reviewed_items
      from ended
      cross join lateral (
        select min(claimed_at) as at from claims where claims.agent_id = ended.agent_id
          and claims.project_number = ended.project_number and claims.item_number = ended.item_number
      ) claimed
      cross join lateral (
        select sum(micros) as micros from cost_entries
        where cost_entries.project_number = ended.project_number and cost_entries.item_number = ended.item_number
      ) cost
      cross join lateral (
        select count(*) as count from reviews
        where reviews.project_number = ended.project_number and reviews.item_number = ended.item_number
      ) review
      where done and inside
      group by ended.agent_id, ended.fresh
    )
    select ended.agent_id, ended.fresh,
      count(*) filter (where done)::integer as total,
      count(*) filter (where done and at > ${now}::timestamptz - interval '24 hours')::integer as last_24h,
      count(*) filter (where done and at > ${now}::timestamptz - interval '7 days')::integer as last_7d,
      count(*) filter (where done and inside)::integer as in_period,
      count(*) filter (where not done and inside)::integer as merges_failed,
      coalesce(max(details.items), 0) as items, coalesce(max(details.cycle_ms), 0) as cycle_ms,
      coalesce(max(details.cycles), 0) as cycles, coalesce(max(details.micros), 0) as micros,
      coalesce(max(details.reviews), 0) as reviews, coalesce(max(details.reviewed_items), 0) as reviewed_items
    from ended left join details on details.agent_id = ended.agent_id and details.fresh = ended.fresh
    group by ended.agent_id, ended.fresh`.execute(db)
  return rows
}

export interface Decided {
  readonly agent_id: string
  readonly fresh: boolean
  readonly approved: number
  readonly decided: number
}

/** First reviews of items; what was withdrawn before anybody had judged it is no verdict. */
export async function firstReviews(db: Sql, { since }: MetricsWindow): Promise<Decided[]> {
  const { rows } = await sql<Decided>`
    select reviews.agent_id, (agents.metrics_since is null or reviews.decided_at >= agents.metrics_since) as fresh,
      count(*) filter (where reviews.status = 'approved')::integer as approved,
      count(*)::integer as decided
    from reviews
    join items on items.project_number = reviews.project_number and items.number = reviews.item_number
    left join agents on agents.id = reviews.agent_id
    where reviews.decided_at >= ${since} and reviews.status in ('approved', 'rejected')
      and not (items.state = 'withdrawn' and reviews.status = 'rejected')
      and not exists (
        select 1 from reviews earlier where earlier.project_number = reviews.project_number
          and earlier.item_number = reviews.item_number and earlier.id < reviews.id
      )
    group by reviews.agent_id, fresh`.execute(db)
  return rows
}

/** A review is claimed, then decided; the moment of the claim is only in the log. */
export async function reviewersDid(db: Sql, { now, since }: MetricsWindow): Promise<Completed[]> {
  const { rows } = await sql<Completed>`
    with judged as (
      select agents.id as agent_id, reviews.id, reviews.project_number, reviews.item_number, reviews.decided_at as at,
        reviews.decided_at >= ${since}::timestamptz as inside,
        (agents.metrics_since is null or reviews.decided_at >= agents.metrics_since) as fresh
      from agents join reviews on reviews.decided_by = agents.id
      where (agents.id = 'review-agent' or agents.id like 'review-agent-%')
    )
    select judged.agent_id, judged.fresh, count(*)::integer as total,
      count(*) filter (where judged.at > ${now}::timestamptz - interval '24 hours')::integer as last_24h,
      count(*) filter (where judged.at > ${now}::timestamptz - interval '7 days')::integer as last_7d,
      count(*) filter (where inside)::integer as in_period,
      count(distinct (project_number, item_number)) filter (where inside)::integer as items,
      coalesce(sum(extract(epoch from judged.at - claimed.at) * 1000), 0)::double precision as cycle_ms,
      count(claimed.at)::integer as cycles,
      0 as reviews, 0 as reviewed_items, 0::double precision as micros, 0 as merges_failed
    from judged left join lateral (
      select max(events.at) as at from events
      where inside and events.item_number = judged.item_number
        and events.project_number = judged.project_number and events.type = 'review.claimed'
        and events.agent_id = judged.agent_id and (events.payload ->> 'reviewId')::bigint = judged.id
    ) claimed on true
    group by judged.agent_id, judged.fresh`.execute(db)
  return rows
}
