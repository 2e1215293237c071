import { fromMicros } from '@treadle/contracts/cost'
import { Thought } from '@treadle/contracts/thought'
import type { NewThought, ThoughtOver, Thoughts } from '@treadle/flow/ports/thoughts'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { instant, integer, json, nullable, type Row, text, uuid } from '../driver/tables.ts'
import { migration037 } from '../migrations/037-thoughts.ts'
import { thoughtHint } from './items/queue-hints.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  thoughts: {
    id: uuid,
    kind: text,
    subject: text,
    nth: integer,
    engine: text,
    model_use: text,
    system: text,
    prompt: text,
    schema: nullable(json),
    status: text,
    agent_id: nullable(text),
    fence: integer,
    why: nullable(text),
    created_at: instant,
    claimed_at: nullable(instant),
    deadline_at: instant,
    ended_at: nullable(instant),
    answer: nullable(json),
  },
} as const
type Tables = typeof tables

export const thoughts = {
  name: 'thoughts',
  tables,
  migrations: [migration037],
  create: ({ database, hints }: StoreParts<Tables>) => createThoughts(database, hints),
} as const satisfies StoreModule

function createThoughts(database: Database<Tables>, channel: string): Thoughts {
  const { sql: db } = database
  const one = (id: string) => all(db).where('thoughts.id', '=', id)
  return {
    add: (thought, at) => database.tx(() => add(database, channel, thought, at)),
    find: async (id) => first(await one(id).execute()),
    lock: async (id) => first(await one(id).forUpdate().execute()),
    list: async ({ status, kind, subject, limit }) => {
      let query = all(db).orderBy('created_at', 'desc').orderBy('nth', 'desc').limit(limit)
      if (status !== undefined) query = query.where('status', '=', status)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (subject !== undefined) query = query.where('subject', '=', subject)
      return (await query.execute()).map(toThought)
    },
    open: async (agentId, limit) => {
      const rows = await all(db)
        .where('status', 'in', ['pending', 'claimed'])
        .where((on) => on.or([on('status', '=', 'pending'), on('agent_id', '=', agentId)]))
        .orderBy('status')
        .orderBy('created_at')
        .limit(limit)
        .execute()
      return rows.map(toThought)
    },
    areOpen: async () => {
      const found = await db
        .selectFrom('thoughts')
        .select('id')
        .where('status', 'in', ['pending', 'claimed'])
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    claim: async (id, agentId, at) => {
      const { numUpdatedRows } = await db
        .updateTable('thoughts')
        .set({ status: 'claimed', agent_id: agentId, claimed_at: at, fence: sql`fence + 1` })
        .where('id', '=', id)
        .where((on) =>
          on.or([
            on('status', '=', 'pending'),
            on.and([on('status', '=', 'claimed'), on('agent_id', '=', agentId)]),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 0n ? null : first(await one(id).execute())
    },
    extend: async (agentId, byMs) => {
      await db
        .updateTable('thoughts')
        .set({ deadline_at: sql`deadline_at + ${byMs} * interval '1 millisecond'` })
        .where('agent_id', '=', agentId)
        .where('status', '=', 'claimed')
        .execute()
    },
    ...endings(database, channel),
  }
}

async function add(
  { sql: db }: Database<Tables>,
  channel: string,
  { id, kind, subject, engine, use, system, prompt, schema, deadlineAt }: NewThought,
  at: Date,
): Promise<boolean> {
  const added = await db
    .insertInto('thoughts')
    .values({
      id,
      kind,
      subject,
      nth: sql<number>`(select count(*)::integer + 1 from thoughts
        where subject = ${subject} and kind = ${kind})`,
      engine,
      model_use: use,
      system: storableText(system),
      prompt: storableText(prompt),
      schema: schema === null ? null : storableJson(schema),
      status: 'pending',
      fence: 0,
      created_at: at,
      deadline_at: deadlineAt,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return false
  await thoughtHint(channel).execute(db)
  return true
}

function endings(
  database: Database<Tables>,
  channel: string,
): Pick<Thoughts, 'release' | 'end' | 'claimed' | 'overdue'> {
  const { sql: db } = database
  return {
    release: ({ agentId, id }, why) =>
      database.tx(async () => {
        let change = db
          .updateTable('thoughts')
          .set({ status: 'pending', claimed_at: null, why: storableText(why) })
          .where('agent_id', '=', agentId)
          .where('status', '=', 'claimed')
        if (id !== undefined) change = change.where('id', '=', id)
        const released = await change.returning('id').execute()
        if (released.length === 0) return []
        await thoughtHint(channel).execute(db)
        const ids = released.map((row) => row.id)
        return (await all(db).where('thoughts.id', 'in', ids).execute()).map(toThought)
      }),
    end: async (id, fence, over, at) => {
      const { numUpdatedRows } = await db
        .updateTable('thoughts')
        .set({ status: over.is, ended_at: at, ...overColumns(over) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('status', 'in', ['pending', 'claimed'])
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    claimed: async (limit) => {
      const rows = await all(db).where('status', '=', 'claimed').orderBy('claimed_at').limit(limit).execute()
      return rows.map(toThought)
    },
    overdue: async (now, limit) => {
      const rows = await all(db)
        .where('status', 'in', ['pending', 'claimed'])
        .where('deadline_at', '<=', now)
        .orderBy('deadline_at')
        .limit(limit)
        .execute()
      return rows.map(toThought)
    },
  }
}

function overColumns(over: ThoughtOver) {
  return over.is === 'done'
    ? { answer: storableJson(over.answer), why: null }
    : { why: storableText(over.why.slice(0, 4_000)) }
}

/** What is booked for it, among the entries of the ledger. */
const COST: RawBuilder<string | null> = sql`
  (select sum(micros)::bigint from cost_entries where cost_entries.thought_id = thoughts.id)`

function all(db: Sql<Tables>) {
  return db.selectFrom('thoughts').selectAll('thoughts').select(COST.as('micros'))
}

type ThoughtRow = Row<Tables['thoughts']> & { readonly micros: string | null }

function first(rows: readonly ThoughtRow[]): Thought | null {
  const [row] = rows
  return row === undefined ? null : toThought(row)
}

function toThought(row: ThoughtRow): Thought {
  const at = (moment: Date | null) => moment?.toISOString() ?? null
  return Thought.parse({
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    nth: row.nth,
    engine: row.engine,
    use: row.model_use,
    system: row.system,
    prompt: row.prompt,
    schema: row.schema,
    status: row.status,
    agentId: row.agent_id,
    fence: row.fence,
    why: row.why,
    createdAt: row.created_at.toISOString(),
    claimedAt: at(row.claimed_at),
    deadlineAt: row.deadline_at.toISOString(),
    endedAt: at(row.ended_at),
    answer: row.answer,
    costUSD: row.micros === null ? null : fromMicros(Number(row.micros)),
  } satisfies Record<keyof Thought, unknown>)
}
