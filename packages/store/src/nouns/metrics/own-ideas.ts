// Improvements that the crew thought of itself, and how well deliveries held, counted for a span of time.
import type { GateTally, OwnIdeasTally, TimeSpan } from '@treadle/flow/ports/metrics'
import { sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { inWorkspace, type StoreWorkspace } from '../workspace-scope.ts'

interface IdeasRow {
  readonly generated: number
  readonly merged: number
  readonly withdrawn: number
  readonly refused: number
  readonly nothing: number
  readonly failed: number
  readonly looked: number
  readonly look_micros: number
  readonly item_micros: number
  readonly completed: number
  readonly circle_ms: number
  readonly circles: number
  readonly merged_points: number | null
  readonly merged_valued: number
}

/** A merge counts where it happened, whenever the improvement was thought of. */
export async function countOwnIdeas(
  db: Sql,
  workspace: StoreWorkspace,
  { since, until }: TimeSpan,
): Promise<OwnIdeasTally> {
  const own = inWorkspace(workspace)
  const { rows } = await sql<IdeasRow>`
    with own as (
      select project_number, item_number, category, ideated_by, created_at from self_generated where ${own}
    ), done as (
      select distinct project_number, item_number from events
      where type in ('merge.landed', 'merge.delivered') and at > ${since} and at <= ${until}
        and item_number is not null
    ), merged as (
      select own.project_number, own.item_number from own join done
        on done.project_number = own.project_number and done.item_number = own.item_number
    ), look as (
      select outcome, category from ideations where ${own} and ended_at > ${since} and ended_at <= ${until}
    ), circle as (
      select extract(epoch from again.at - before.at) * 1000 as ms
      from own
      cross join lateral (
        select max(started_at) as at from runs where runs.agent_id = own.ideated_by
          and runs.started_at < own.created_at
      ) before
      cross join lateral (
        select min(started_at) as at from runs where runs.project_number = own.project_number
          and runs.item_number = own.item_number
      ) again
      where own.created_at > ${since} and own.created_at <= ${until} and before.at is not null and again.at is not null
    ), value as (
      select avg(points)::double precision as mean, count(*)::integer as valued
      from item_values join items on items.project_number = item_values.project_number
        and items.number = item_values.item_number
      where ${own} and items.state = 'done' and items.updated_at > ${until}::timestamptz - interval '30 days'
        and items.updated_at <= ${until}
    )
    select (select count(*)::integer from own where created_at > ${since} and created_at <= ${until}) as generated,
      (select count(*)::integer from merged) as merged,
      (select count(*)::integer from own join items on items.project_number = own.project_number
        and items.number = own.item_number
        where items.state = 'withdrawn' and items.updated_at > ${since} and items.updated_at <= ${until}) as withdrawn,
      (select count(*)::integer from look
        where outcome not in ('project', 'none', 'failed', 'withdrawn')) as refused,
      (select count(*)::integer from look where outcome = 'none') as nothing,
      (select count(*)::integer from look where outcome = 'failed') as failed,
      (select count(distinct category)::integer from ideations
        where ${own} and asked_at > ${since} and asked_at <= ${until}) as looked,
      (select coalesce(sum(micros), 0)::double precision from cost_entries
        where cost_entries.at > ${since} and cost_entries.at <= ${until} and exists (
          select from thoughts where thoughts.id = cost_entries.thought_id and ${own}
            and thoughts.kind like 'category_%')) as look_micros,
      (select coalesce(sum(micros), 0)::double precision from cost_entries join merged
        on merged.project_number = cost_entries.project_number
        and merged.item_number = cost_entries.item_number) as item_micros,
      (select count(*)::integer from done) as completed,
      (select coalesce(sum(ms), 0)::double precision from circle) as circle_ms,
      (select count(*)::integer from circle) as circles,
      (select mean from value) as merged_points, (select valued from value) as merged_valued`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without a from clause has one row')
  return {
    generated: row.generated,
    merged: row.merged,
    withdrawn: row.withdrawn,
    refused: row.refused,
    nothing: row.nothing,
    failed: row.failed,
    categories: row.looked,
    lookMicros: row.look_micros,
    itemMicros: row.item_micros,
    completed: row.completed,
    circleMs: row.circle_ms,
    circles: row.circles,
    points: row.merged_points,
    valued: row.merged_valued,
  }
}

/** What the checks of reviews have said, by gate; of a gate that was left out there is nothing. */
export async function countGates(db: Sql, { since, until }: TimeSpan): Promise<GateTally[]> {
  const { rows } = await sql<GateTally>`
    select gate ->> 'gate' as gate,
      count(*) filter (where gate ->> 'is' in ('passed', 'passed_with_warnings'))::integer as passed,
      count(*) filter (where gate ->> 'is' = 'failed')::integer as failed
    from reviews cross join lateral jsonb_array_elements(checks) as each (gate)
    where checked_at > ${since} and checked_at <= ${until} and jsonb_typeof(checks) = 'array'
    group by 1`.execute(db)
  return rows
}
