// The ledger: costs of calls, and what is set aside for those under way, in whole millionths of a dollar.
import {
  type CostEntry,
  type CostId,
  fromMicros,
  Reservation,
  THOUGHT_PROJECT,
  toMicros,
} from '@treadle/contracts/cost'
import { AgentId } from '@treadle/contracts/ids'
import type { Store } from '@treadle/flow/ports/store'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Sql } from '../driver/database.ts'
import { storableText } from '../driver/storable.ts'
import {
  bigint,
  filled,
  flag,
  instant,
  integer,
  json,
  nullable,
  type Row,
  text,
  uuid,
} from '../driver/tables.ts'
import { migration003 } from '../migrations/003-ledger.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  cost_entries: {
    id: text,
    agent_id: text,
    project_number: integer,
    item_number: nullable(integer),
    run_id: nullable(uuid),
    model: text,
    input_tokens: bigint,
    output_tokens: bigint,
    /** Millionths of a dollar. */
    micros: bigint,
    assumed: flag,
    at: instant,
    thought_id: nullable(uuid),
  },
  cost_reservations: {
    id: text,
    agent_id: text,
    project_number: integer,
    item_number: nullable(integer),
    run_id: nullable(uuid),
    fence: integer,
    model: text,
    micros: bigint,
    at: instant,
    closed_at: nullable(instant),
    closed_as: nullable(text),
    thought_id: nullable(uuid),
  },
  budget_crossings: {
    period: text,
    starts_at: instant,
    limit_micros: bigint,
    percent: integer,
    spent_micros: bigint,
    at: instant,
  },
  budget_stops: { id: filled(bigint), agents: json, at: instant, ended_at: nullable(instant) },
} as const
type Tables = typeof tables

export const ledger = {
  name: 'ledger',
  tables,
  migrations: [migration003],
  create: ({ database, schema }: StoreParts<Tables>) => createLedger(database, schema),
} as const satisfies StoreModule

type Ledger = Store['ledger']
type Sums = Awaited<ReturnType<Ledger['sumsSince']>>

/** Parts of the sums that are told one by one; the total is always whole. */
const PARTS_MAX = 1_000

function createLedger({ sql: db }: Database<Tables>, schema: string): Ledger {
  return {
    lock: async () => {
      await sql`select pg_advisory_xact_lock(hashtext(${`treadle ledger ${schema}`}))`.execute(db)
    },
    log: (entry) => log(db, entry),
    find: (id) => find(db, id),
    spentSince: async (at) => {
      const { rows } = await sql<{ micros: string }>`
        select coalesce(sum(micros), 0)::bigint as micros from cost_entries where at >= ${at}`.execute(db)
      return fromMicros(Number(rows[0]?.micros ?? 0))
    },
    spentOn: async ({ projectNumber, number }) => {
      const { rows } = await sql<{ micros: string | null }>`
        select sum(micros)::bigint as micros from cost_entries
        where project_number = ${projectNumber} and item_number = ${number}`.execute(db)
      const micros = rows[0]?.micros ?? null
      return micros === null ? null : fromMicros(Number(micros))
    },
    sumsSince: (at) => sumsSince(db, at),
    byDay: (first, days) => byDay(db, first, days),
    callsSince: async (at) => {
      const { count } = await db
        .selectFrom('cost_reservations')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where('at', '>', at)
        .executeTakeFirstOrThrow()
      return count
    },
    ...reservations(db),
    ...crossings(db),
    ...stops(db),
    delivered: async (limit) => {
      // The size is that of flow/supervise/spend/estimate: all that describes the item.
      const { rows } = await sql<{ size: number; micros: string }>`
        select (length(title) + length(body) + coalesce((select sum(length(criterion ->> 'text'))
            from jsonb_array_elements(acceptance) as criteria (criterion)), 0))::integer as size,
          costs.micros
        from items join (select project_number, item_number, sum(micros)::bigint as micros
            from cost_entries where item_number is not null group by project_number, item_number) as costs
          on costs.project_number = items.project_number and costs.item_number = items.number
        where items.state in ('in_review', 'merging', 'done')
        order by items.updated_at desc limit ${limit}`.execute(db)
      return rows.map(({ size, micros }) => ({ size, costUSD: fromMicros(Number(micros)) }))
    },
  }
}

/** An assumption gives way to a real figure; nothing else changes under an id that is known. */
async function log(db: Sql<Tables>, entry: Parameters<Ledger['log']>[0]): ReturnType<Ledger['log']> {
  const { rows } = await sql<{ fresh: boolean }>`
    insert into cost_entries (id, agent_id, project_number, item_number, run_id, thought_id, model,
      input_tokens, output_tokens, micros, assumed, at)
    values (${entry.id}, ${entry.agentId}, ${entry.projectNumber}, ${entry.itemNumber}, ${entry.runId}::uuid,
      ${entry.thoughtId ?? null}::uuid, ${storableText(entry.model)}, ${entry.tokens.input}, ${entry.tokens.output}, ${toMicros(entry.costUSD)},
      ${entry.assumed}, ${new Date(entry.timestamp)})
    on conflict (id) do update set model = excluded.model, input_tokens = excluded.input_tokens,
      output_tokens = excluded.output_tokens, micros = excluded.micros, assumed = false, at = excluded.at
      where cost_entries.assumed and not excluded.assumed
    returning xmax = 0 as fresh`.execute(db)
  if (rows[0] === undefined) return 'duplicate'
  return rows[0].fresh ? 'logged' : 'replaced'
}

async function find(db: Sql<Tables>, id: CostId): Promise<CostEntry | null> {
  const row = await db.selectFrom('cost_entries').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    agentId: AgentId.parse(row.agent_id),
    projectNumber: row.project_number,
    itemNumber: row.item_number,
    runId: row.run_id,
    ...thoughtIn(row),
    model: row.model,
    tokens: { input: Number(row.input_tokens), output: Number(row.output_tokens) },
    costUSD: fromMicros(Number(row.micros)),
    assumed: row.assumed,
    timestamp: new Date(row.at).toISOString(),
  }
}

interface SumRow {
  agent_id: string | null
  project_number: number | null
  item_number: number | null
  part: number
  micros: string
  assumed: string
  calls: number
  input: string
  output: string
}

async function sumsSince(db: Sql<Tables>, at: Date): Promise<Sums> {
  const { rows } = await sql<SumRow>`
    select agent_id, project_number, item_number, grouping(agent_id, project_number) as part,
      coalesce(sum(micros), 0)::bigint as micros,
      coalesce(sum(micros) filter (where assumed), 0)::bigint as assumed, count(*)::integer as calls,
      coalesce(sum(input_tokens), 0)::bigint as input, coalesce(sum(output_tokens), 0)::bigint as output
    from cost_entries where at >= ${at}
    group by grouping sets ((), (agent_id), (project_number, item_number))
    order by micros desc`.execute(db)
  const whole = rows.find(({ part }) => part === 3)
  return {
    ...(whole === undefined ? NOTHING : sumOf(whole)),
    assumedUSD: fromMicros(Number(whole?.assumed ?? 0)),
    agents: rows.flatMap((row) =>
      row.part === 1 && row.agent_id !== null
        ? [{ agentId: AgentId.parse(row.agent_id), ...sumOf(row) }]
        : [],
    ),
    items: rows
      .flatMap((row) =>
        row.part === 2 && row.project_number !== null
          ? [{ projectNumber: row.project_number, itemNumber: row.item_number, ...sumOf(row) }]
          : [],
      )
      .slice(0, PARTS_MAX),
  }
}

interface DayRow {
  readonly day: string
  readonly agent_id: string | null
  readonly micros: string
}

async function byDay(db: Sql<Tables>, first: Date, days: number): ReturnType<Ledger['byDay']> {
  const { rows } = await sql<DayRow>`
    select to_char(starts.at at time zone 'UTC', 'YYYY-MM-DD') as day, agent_id,
      coalesce(sum(micros), 0)::bigint as micros
    from generate_series(0, ${days - 1}::integer) as nth (back)
    cross join lateral (select ${first}::timestamptz + nth.back * interval '24 hours' as at) starts
    left join cost_entries on cost_entries.at >= starts.at
      and cost_entries.at < starts.at + interval '24 hours'
    group by starts.at, agent_id order by starts.at, length(agent_id), agent_id`.execute(db)
  const found = Map.groupBy(rows, ({ day }) => day)
  return [...found].map(([day, parts]) => ({
    day,
    usd: fromMicros(parts.reduce((sum, { micros }) => sum + Number(micros), 0)),
    byAgent: parts.flatMap(({ agent_id, micros }) =>
      agent_id === null ? [] : [{ agentId: AgentId.parse(agent_id), usd: fromMicros(Number(micros)) }],
    ),
  }))
}

const NOTHING = { costUSD: 0, calls: 0, tokens: { input: 0, output: 0 } }

function sumOf({ micros, calls, input, output }: SumRow): typeof NOTHING {
  return {
    costUSD: fromMicros(Number(micros)),
    calls,
    tokens: { input: Number(input), output: Number(output) },
  }
}

function reservations(db: Sql<Tables>): Pick<Ledger, 'open' | 'reserve' | 'close'> {
  return {
    open: async () => {
      const rows = await db
        .selectFrom('cost_reservations')
        .selectAll()
        .where('closed_at', 'is', null)
        .orderBy('at')
        .execute()
      return rows.map(toReservation)
    },
    reserve: async ({ id, agentId, item, runId, thoughtId, fence, model, costUSD, timestamp }) => {
      const added = await db
        .insertInto('cost_reservations')
        .values({
          id,
          agent_id: agentId,
          project_number: item?.projectNumber ?? THOUGHT_PROJECT,
          item_number: item?.number ?? null,
          run_id: runId,
          thought_id: thoughtId ?? null,
          fence,
          model: storableText(model),
          micros: toMicros(costUSD),
          at: new Date(timestamp),
          closed_at: null,
          closed_as: null,
        })
        .onConflict((on) => on.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },
    close: async (id, as, at) => {
      const row = await db
        .updateTable('cost_reservations')
        .set({ closed_at: at, closed_as: as })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? null : toReservation(row)
    },
  }
}

function toReservation(row: Row<Tables['cost_reservations']>): Reservation {
  return Reservation.parse({
    id: row.id,
    agentId: row.agent_id,
    item: row.item_number === null ? null : { projectNumber: row.project_number, number: row.item_number },
    runId: row.run_id,
    ...thoughtIn(row),
    fence: row.fence,
    model: row.model,
    costUSD: fromMicros(Number(row.micros)),
    timestamp: row.at.toISOString(),
  } satisfies Record<Exclude<keyof Reservation, 'thoughtId'>, unknown>)
}

function thoughtIn({ thought_id }: { readonly thought_id: string | null }): { thoughtId?: string } {
  return thought_id === null ? {} : { thoughtId: thought_id }
}

function crossings(db: Sql<Tables>): Pick<Ledger, 'cross' | 'hasCrossed'> {
  return {
    cross: async ({ period, startsAt, limitUSD, percent }, spentUSD, at) => {
      const added = await db
        .insertInto('budget_crossings')
        .values({
          period,
          starts_at: startsAt,
          limit_micros: toMicros(limitUSD),
          percent,
          spent_micros: toMicros(spentUSD),
          at,
        })
        .onConflict((on) => on.doNothing())
        .returning('percent')
        .executeTakeFirst()
      return added !== undefined
    },
    hasCrossed: async ({ period, startsAt, limitUSD, percent }) =>
      (await db
        .selectFrom('budget_crossings')
        .select('percent')
        .where('period', '=', period)
        .where('starts_at', '=', startsAt)
        .where('limit_micros', '=', String(toMicros(limitUSD)))
        .where('percent', '=', percent)
        .executeTakeFirst()) !== undefined,
  }
}

function stops(db: Sql<Tables>): Pick<Ledger, 'stop' | 'beginStop' | 'endStop'> {
  return {
    stop: async () => {
      const row = await db
        .selectFrom('budget_stops')
        .selectAll()
        .where('ended_at', 'is', null)
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return row === undefined ? null : { agents: z.array(AgentId).parse(row.agents), at: row.at }
    },
    beginStop: async ({ agents, at }) => {
      await db
        .insertInto('budget_stops')
        .values({ agents: JSON.stringify(agents), at, ended_at: null })
        .execute()
    },
    endStop: async (at) => {
      await db.updateTable('budget_stops').set({ ended_at: at }).where('ended_at', 'is', null).execute()
    },
  }
}
