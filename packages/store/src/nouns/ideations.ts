import { Category } from '@treadle/contracts/categories'
import { IdeationOutcome } from '@treadle/contracts/category'
import { fromMicros } from '@treadle/contracts/cost'
import type { CategoryTally, Ideation, Ideations, IdeationTotals } from '@treadle/flow/ports/ideations'
import { sql } from 'kysely'
import type { Database } from '../driver/database.ts'
import { storableText } from '../driver/storable.ts'
import { instant, integer, nullable, type Row, text, uuid } from '../driver/tables.ts'
import { migration056 } from '../migrations/056-ideations.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { inWorkspace, type StoreWorkspace } from './workspace-scope.ts'

const tables = {
  categories: {
    name: text,
    workspace: text,
    last_used_at: nullable(instant),
    exhausted_until: nullable(instant),
    exhausted_why: nullable(text),
  },
  ideations: {
    thought: uuid,
    workspace: text,
    category: text,
    attempt: integer,
    asked_at: instant,
    outcome: nullable(text),
    why: nullable(text),
    ended_at: nullable(instant),
    project_number: nullable(integer),
    item_number: nullable(integer),
  },
  self_generated: {
    project_number: integer,
    item_number: integer,
    workspace: text,
    category: text,
    ideated_by: nullable(text),
    finding: nullable(text),
    created_at: instant,
  },
  item_values: {
    project_number: integer,
    item_number: integer,
    workspace: text,
    points: integer,
    valued_by: text,
    valued_at: instant,
  },
} as const
type Tables = typeof tables

export const ideations = {
  name: 'ideations',
  tables,
  migrations: [migration056],
  create: ({ database, ...parts }: StoreParts<Tables>) => createIdeations(database, parts),
} as const satisfies StoreModule

type Parts = Pick<StoreParts, 'workspace' | 'schema'>

function createIdeations(database: Database<Tables>, parts: Parts): Ideations {
  const { workspace } = parts
  return {
    ...createLooks(database, parts),
    ...createProjects(database, workspace),
    tally: (now) => tally(database, workspace, now),
    totals: (now) => totals(database, workspace, now),
  }
}

function createLooks({ sql: db }: Database<Tables>, { workspace, schema }: Parts) {
  const own = inWorkspace(workspace)
  const change = (name: Category, columns: Partial<CategoryColumns>) =>
    db
      .insertInto('categories')
      .values({
        name,
        workspace: workspace.id,
        last_used_at: null,
        exhausted_until: null,
        exhausted_why: null,
        ...columns,
      })
      .onConflict((on) => on.columns(['workspace', 'name']).doUpdateSet(columns))
      .execute()
  return {
    lock: async () => {
      const name = `ideations ${schema} ${workspace.shared ? workspace.id : ''}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
    },
    markUsed: async (name, at) => {
      await change(name, { last_used_at: at })
    },
    exhaust: async (name, until, why) => {
      const exhausted_why = why === null ? null : storableText(why.slice(0, 4_000))
      await change(name, { exhausted_until: until, exhausted_why })
    },
    ask: async ({ thought, category, attempt, askedAt }) => {
      const asked_at = new Date(askedAt)
      const values = { thought, workspace: workspace.id, category, attempt, asked_at, ...NOT_ENDED }
      await db
        .insertInto('ideations')
        .values(values)
        .onConflict((on) => on.column('thought').doNothing())
        .execute()
      await change(category, { last_used_at: asked_at })
    },
    find: async (thought) => {
      const row = await db
        .selectFrom('ideations')
        .selectAll()
        .where(own)
        .where('thought', '=', thought)
        .executeTakeFirst()
      return row === undefined ? null : toIdeation(row)
    },
    end: async (thought, { outcome, why, item }, at) => {
      await db
        .updateTable('ideations')
        .set({
          outcome,
          why: why === null ? null : storableText(why.slice(0, 4_000)),
          ended_at: at,
          project_number: item?.projectNumber ?? null,
          item_number: item?.number ?? null,
        })
        .where('thought', '=', thought)
        .where('outcome', 'is', null)
        .execute()
    },
    left: async (limit) => {
      const rows = await db
        .selectFrom('ideations')
        .selectAll()
        .where(own)
        .where('outcome', 'is', null)
        .where(sql<boolean>`not exists (select from thoughts where thoughts.id = ideations.thought
          and thoughts.status in ('pending', 'claimed'))`)
        .orderBy('asked_at')
        .limit(limit)
        .execute()
      return rows.map(toIdeation)
    },
    allExhaustedAt: async () => {
      const { rows } = await sql<{ at: Date | null }>`
        select max(at) as at from events where type = 'category.all_exhausted'
          and at >= coalesce((select max(asked_at) from ideations where ${own}), '-infinity'::timestamptz)`.execute(
        db,
      )
      return rows[0]?.at ?? null
    },
  } satisfies Partial<Ideations>
}

const NOT_ENDED = {
  outcome: null,
  why: null,
  ended_at: null,
  project_number: null,
  item_number: null,
} as const

type CategoryColumns = Pick<Row<Tables['categories']>, 'last_used_at' | 'exhausted_until' | 'exhausted_why'>

function createProjects({ sql: db }: Database<Tables>, workspace: StoreWorkspace) {
  const own = inWorkspace(workspace)
  return {
    record: async ({ item, category, ideatedByAgentId, createdAt }, finding) => {
      const added = await db
        .insertInto('self_generated')
        .values({
          project_number: item.projectNumber,
          item_number: item.number,
          workspace: workspace.id,
          category,
          ideated_by: ideatedByAgentId,
          finding: finding === null ? null : storableText(finding),
          created_at: new Date(createdAt),
        })
        .onConflict((on) => on.columns(['project_number', 'item_number']).doNothing())
        .returning('item_number')
        .executeTakeFirst()
      return added !== undefined
    },
    ofItem: async ({ projectNumber, number }) => {
      const row = await db
        .selectFrom('self_generated')
        .selectAll()
        .where('project_number', '=', projectNumber)
        .where('item_number', '=', number)
        .executeTakeFirst()
      if (row === undefined) return null
      return {
        item: { projectNumber, number },
        category: Category.parse(row.category),
        ideatedByAgentId: row.ideated_by,
        createdAt: row.created_at.toISOString(),
      }
    },
    findingsTaken: async (since) => {
      const { rows } = await sql<{ finding: string }>`
        select distinct finding from self_generated join items
          on items.project_number = self_generated.project_number and items.number = self_generated.item_number
        where finding is not null and ${own}
          and (self_generated.created_at > ${since} or items.state not in ('done', 'withdrawn'))`.execute(db)
      return rows.map(({ finding }) => finding)
    },
    filesTaken: async () => {
      const { rows } = await sql<{ file: string }>`
        select distinct file from self_generated join items
          on items.project_number = self_generated.project_number and items.number = self_generated.item_number
        cross join lateral jsonb_array_elements_text(items.files) as each (file)
        where ${own} and items.state not in ('done', 'withdrawn')`.execute(db)
      return rows.map(({ file }) => file)
    },
    titles: async (projectNumber) => {
      const { rows } = await sql<{ number: number; title: string; isOpen: boolean }>`
        select number, title, state not in ('done', 'withdrawn') as "isOpen" from items where project_number = ${projectNumber} order by number`.execute(
        db,
      )
      return rows
    },
    value: async ({ projectNumber, number }, { value, by }, at) => {
      const said = { points: value, valued_by: storableText(by), valued_at: at }
      await db
        .insertInto('item_values')
        .values({ project_number: projectNumber, item_number: number, workspace: workspace.id, ...said })
        .onConflict((on) => on.columns(['project_number', 'item_number']).doUpdateSet(said))
        .execute()
    },
    satisfaction: async (since) => {
      const { rows } = await sql<{ mean: number | null; valued: number }>`
        select avg(points)::double precision as mean, count(*)::integer as valued
        from item_values join items
          on items.project_number = item_values.project_number and items.number = item_values.item_number
        where ${own} and items.state = 'done' and items.updated_at > ${since}`.execute(db)
      const [row] = rows
      return row === undefined || row.mean === null ? null : { mean: row.mean, valued: row.valued }
    },
  } satisfies Partial<Ideations>
}

interface TallyRow {
  readonly name: string
  readonly last_used_at: Date | null
  readonly exhausted_until: Date | null
  readonly exhausted_why: string | null
  readonly generated: number
  readonly open: number
  readonly merged: number
  readonly withdrawn: number
  readonly today: number
  readonly refused: number
  readonly under_way: number
  readonly mean: number | null
  readonly valued: number
  readonly recent_mean: number | null
  readonly recently_valued: number
  readonly micros: string | null
  readonly weekly: { readonly week: string; readonly generated: number }[] | null
}

async function tally(
  { sql: db }: Database<Tables>,
  workspace: StoreWorkspace,
  now: Date,
): Promise<CategoryTally[]> {
  const own = inWorkspace(workspace)
  const { rows } = await sql<TallyRow>`
    with own_categories as (
      select * from categories where ${own}
    ), project as (
      select own.category, own.created_at, items.state, item_values.points, item_values.valued_at
      from (select * from self_generated where ${own}) own
      join items on items.project_number = own.project_number and items.number = own.item_number
      left join item_values on item_values.project_number = own.project_number
        and item_values.item_number = own.item_number
    ), projects as (
      select category, count(*)::integer as generated,
        count(*) filter (where state not in ('done', 'withdrawn'))::integer as open,
        count(*) filter (where state = 'done')::integer as merged,
        count(*) filter (where state = 'withdrawn')::integer as withdrawn,
        count(*) filter (where created_at >= ${dayOf(now)})::integer as today,
        avg(points)::double precision as mean, count(points)::integer as valued,
        avg(points) filter (where valued_at > ${ago(now, 30)})::double precision as recent_mean,
        count(points) filter (where valued_at > ${ago(now, 30)})::integer as recently_valued
      from project group by category
    ), looks as (
      select category, count(*) filter (where outcome is null)::integer as under_way,
        count(*) filter (where outcome not in ('project', 'failed', 'withdrawn'))::integer as refused
      from ideations where ${own} group by category
    ), weeks as (
      select category, jsonb_agg(jsonb_build_object('week', week, 'generated', generated) order by week desc) as weekly
      from (
        select category, to_char(date_trunc('week', created_at at time zone 'UTC'), 'YYYY-MM-DD') as week,
          count(*)::integer as generated
        from project where created_at > ${ago(now, 371)} group by 1, 2
      ) week group by category
    ), costs as (
      select thoughts.subject as category, sum(micros)::bigint as micros
      from cost_entries join (select id, subject from thoughts where ${own} and kind like 'category_%') thoughts
        on thoughts.id = cost_entries.thought_id
      group by thoughts.subject
    )
    select named.name, own_categories.last_used_at, own_categories.exhausted_until, own_categories.exhausted_why,
      coalesce(generated, 0) as generated, coalesce(open, 0) as open, coalesce(merged, 0) as merged,
      coalesce(withdrawn, 0) as withdrawn, coalesce(today, 0) as today, coalesce(refused, 0) as refused,
      coalesce(under_way, 0) as under_way, mean, coalesce(valued, 0) as valued, recent_mean,
      coalesce(recently_valued, 0) as recently_valued, micros, weekly
    from (
      select name from own_categories union select category from projects union select category from looks
    ) named
    left join own_categories on own_categories.name = named.name
    left join projects on projects.category = named.name
    left join looks on looks.category = named.name
    left join weeks on weeks.category = named.name
    left join costs on costs.category = named.name`.execute(db)
  return rows.flatMap(toTally)
}

/** A category of another version is none of ours. */
function toTally(row: TallyRow): CategoryTally[] {
  const category = Category.safeParse(row.name)
  if (!category.success) return []
  return [
    {
      category: category.data,
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
      exhaustedUntil: row.exhausted_until?.toISOString() ?? null,
      exhaustedWhy: row.exhausted_why,
      projectsGenerated: row.generated,
      open: row.open,
      merged: row.merged,
      withdrawn: row.withdrawn,
      createdToday: row.today,
      refused: row.refused,
      underWay: row.under_way,
      value: row.mean,
      valued: row.valued,
      recentValue: row.recent_mean,
      recentlyValued: row.recently_valued,
      costUSD: fromMicros(Number(row.micros ?? 0)),
      weekly: (row.weekly ?? []).slice(0, 60),
    },
  ]
}

interface TotalsRow {
  readonly under_way: number
  readonly at_work: number
  readonly open: number
  readonly today: number
  readonly micros: string | null
  readonly dearest: string | null
  readonly failed: number
  readonly failed_at: Date | null
}

async function totals(
  { sql: db }: Database<Tables>,
  workspace: StoreWorkspace,
  now: Date,
): Promise<IdeationTotals> {
  const own = inWorkspace(workspace)
  const { rows } = await sql<TotalsRow>`
    with look as (select * from ideations where ${own}),
    failed as (
      select ended_at from look where outcome = 'failed' and ended_at > coalesce(
        (select max(ended_at) from look where outcome not in ('failed', 'withdrawn')), '-infinity'::timestamptz)
    )
    select (select count(*)::integer from look where outcome is null) as under_way,
      (select count(*)::integer from look join thoughts on thoughts.id = look.thought
        where outcome is null and thoughts.status = 'claimed') as at_work,
      (select count(*)::integer from self_generated join items
        on items.project_number = self_generated.project_number and items.number = self_generated.item_number
        where ${own} and items.state not in ('done', 'withdrawn')) as open,
      (select count(*)::integer from self_generated where ${own} and created_at >= ${dayOf(now)}) as today,
      (select sum(micros)::bigint from cost_entries where cost_entries.at >= ${dayOf(now)} and exists (
        select from thoughts where thoughts.id = cost_entries.thought_id and ${own}
          and thoughts.kind like 'category_%')) as micros,
      (select max(micros)::bigint from (
        select sum(micros) as micros from cost_entries where cost_entries.at > ${ago(now, 1)} and exists (
          select from thoughts where thoughts.id = cost_entries.thought_id and ${own}
            and thoughts.kind like 'category_%') group by thought_id) each) as dearest,
      (select count(*)::integer from failed) as failed, (select max(ended_at) from failed) as failed_at`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a select without a from clause has one row')
  return {
    underWay: row.under_way,
    atWork: row.at_work,
    open: row.open,
    createdToday: row.today,
    spentTodayUSD: fromMicros(Number(row.micros ?? 0)),
    dearestUSD: fromMicros(Number(row.dearest ?? 0)),
    failedInRow: row.failed,
    lastFailedAt: row.failed_at,
  }
}

const DAY_MS = 24 * 60 * 60_000

function ago(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** Days are those of the budgets. */
function dayOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)
}

function toIdeation(row: Row<Tables['ideations']>): Ideation {
  return {
    thought: row.thought,
    category: Category.parse(row.category),
    attempt: row.attempt,
    askedAt: row.asked_at.toISOString(),
    outcome: row.outcome === null ? null : IdeationOutcome.parse(row.outcome),
  }
}
