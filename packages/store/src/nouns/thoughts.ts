import { fromMicros } from '@treadle/contracts/cost'
import { Thought } from '@treadle/contracts/thought'
import type { NewThought, ThoughtClaim, ThoughtOver, Thoughts } from '@treadle/flow/ports/thoughts'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { filled, flag, instant, integer, json, nullable, type Row, text, uuid } from '../driver/tables.ts'
import { migration037 } from '../migrations/037-thoughts.ts'
import { migration038 } from '../migrations/038-review-thoughts.ts'
import { migration042 } from '../migrations/042-workspaces.ts'
import { thoughtHint } from './items/queue-hints.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { inWorkspace, type StoreWorkspace } from './workspace-scope.ts'

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
    deadline_at: nullable(instant),
    ended_at: nullable(instant),
    answer: nullable(json),
    project_number: nullable(integer),
    item_number: nullable(integer),
    run_id: nullable(uuid),
    key_hash: nullable(text),
    claim_sets_deadline: filled(flag),
    workspace: text,
  },
} as const
export type ThoughtTables = typeof tables
type Tables = ThoughtTables

export const thoughts = {
  name: 'thoughts',
  tables,
  migrations: [migration037, migration038, migration042],
  create: ({ database, hints, workspace }: StoreParts<Tables>) =>
    createThoughts({ database, channel: hints, workspace }),
} as const satisfies StoreModule

interface ThoughtParts {
  readonly database: Database<Tables>
  readonly channel: string
  readonly workspace: StoreWorkspace
}

function createThoughts(parts: ThoughtParts): Thoughts {
  const { database, workspace } = parts
  const { sql: db } = database
  const own = inWorkspace(workspace)
  const mine = () => all(db).where(own)
  const one = (id: string) => mine().where('thoughts.id', '=', id)
  return {
    add: (thought, at) => database.tx(() => add(parts, thought, at)),
    find: async (id) => first(await one(id).execute()),
    lock: async (id) => first(await one(id).forUpdate().execute()),
    list: async ({ status, kind, subject, isOpen, limit }) => {
      let query = mine().orderBy('created_at', 'desc').orderBy('nth', 'desc').limit(limit)
      if (status !== undefined) query = query.where('status', '=', status)
      if (kind !== undefined) query = query.where('kind', '=', kind)
      if (isOpen === true) query = query.where('status', 'in', ['pending', 'claimed'])
      if (subject !== undefined) query = query.where('subject', '=', subject)
      return (await query.execute()).map(toThought)
    },
    open: async (agentId, limit, kinds) => {
      let query = mine()
        .where('status', 'in', ['pending', 'claimed'])
        .where((on) => on.or([on('status', '=', 'pending'), on('agent_id', '=', agentId)]))
      if (kinds !== undefined) query = query.where('kind', 'in', [...kinds])
      const rows = await query.orderBy('status').orderBy('created_at').limit(limit).execute()
      return rows.map(toThought)
    },
    areOpen: async () => {
      const found = await db
        .selectFrom('thoughts')
        .select('id')
        .where(own)
        .where('status', 'in', ['pending', 'claimed'])
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    claim: async (id, claim) => ((await claimed(parts, id, claim)) ? first(await one(id).execute()) : null),
    keyHash: async (id) => {
      const row = await db
        .selectFrom('thoughts')
        .select('key_hash')
        .where(own)
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.key_hash ?? null
    },
    extend: async (agentId, byMs) => {
      await db
        .updateTable('thoughts')
        .set({ deadline_at: sql`deadline_at + ${byMs} * interval '1 millisecond'` })
        .where('agent_id', '=', agentId)
        .where('status', '=', 'claimed')
        .execute()
    },
    ...endings(parts),
  }
}

async function claimed(
  { database: { sql: db }, workspace }: ThoughtParts,
  id: string,
  { agentId, at, deadlineAt = null, keyHash = null }: ThoughtClaim,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('thoughts')
    .set({
      status: 'claimed',
      agent_id: agentId,
      claimed_at: at,
      fence: sql`fence + 1`,
      key_hash: keyHash,
      ...(deadlineAt === null ? {} : { deadline_at: deadlineAt }),
    })
    .where(inWorkspace(workspace))
    .where('id', '=', id)
    .where((on) =>
      on.or([
        on('status', '=', 'pending'),
        on.and([
          on('status', '=', 'claimed'),
          on('agent_id', '=', agentId),
          on.or([on('key_hash', 'is', null), on('key_hash', '=', keyHash)]),
        ]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function add(
  { database: { sql: db }, channel, workspace }: ThoughtParts,
  { id, kind, subject, work = null, engine, use, system, prompt, schema, deadlineAt }: NewThought,
  at: Date,
): Promise<boolean> {
  const added = await db
    .insertInto('thoughts')
    .values({
      id,
      kind,
      subject,
      nth: sql<number>`(select count(*)::integer + 1 from thoughts
        where subject = ${subject} and kind = ${kind} and ${inWorkspace(workspace)})`,
      engine,
      model_use: use,
      system: storableText(system),
      prompt: storableText(prompt),
      schema: schema === null ? null : storableJson(schema),
      status: 'pending',
      fence: 0,
      created_at: at,
      deadline_at: deadlineAt,
      project_number: work?.item.projectNumber ?? null,
      item_number: work?.item.number ?? null,
      run_id: work?.runId ?? null,
      claim_sets_deadline: deadlineAt === null,
      workspace: workspace.id,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return false
  await thoughtHint(channel, [kind]).execute(db)
  return true
}

function endings({
  database,
  channel,
  workspace,
}: ThoughtParts): Pick<Thoughts, 'release' | 'end' | 'claimed' | 'overdue'> {
  const { sql: db } = database
  const own = inWorkspace(workspace)
  return {
    // An agent whose daemon is gone for good is stopped by any other, which gives back what it held.
    release: ({ agentId, id }, why) =>
      database.tx(async () => {
        let change = db
          .updateTable('thoughts')
          .set({
            status: 'pending',
            claimed_at: null,
            why: storableText(why),
            // Whoever takes it next says anew until when.
            deadline_at: sql`case when claim_sets_deadline then null else deadline_at end`,
          })
          .where('agent_id', '=', agentId)
          .where('status', '=', 'claimed')
        if (id !== undefined) change = change.where('id', '=', id)
        const released = await change.returning('id').execute()
        if (released.length === 0) return []
        const ids = released.map((row) => row.id)
        const free = (await all(db).where('thoughts.id', 'in', ids).execute()).map(toThought)
        await thoughtHint(channel, [...new Set(free.map(({ kind }) => kind))]).execute(db)
        return free
      }),
    end: async (id, fence, over, at) => {
      const { numUpdatedRows } = await db
        .updateTable('thoughts')
        .set({ status: over.is, ended_at: at, ...overColumns(over) })
        .where(own)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('status', 'in', ['pending', 'claimed'])
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    claimed: async (limit) => {
      const rows = await all(db)
        .where(own)
        .where('status', '=', 'claimed')
        .orderBy('claimed_at')
        .limit(limit)
        .execute()
      return rows.map(toThought)
    },
    overdue: async (now, limit) => {
      const rows = await all(db)
        .where(own)
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
    work: workIn(row),
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
    deadlineAt: at(row.deadline_at),
    endedAt: at(row.ended_at),
    answer: row.answer,
    costUSD: row.micros === null ? null : fromMicros(Number(row.micros)),
  } satisfies Record<keyof Thought, unknown>)
}

function workIn({ project_number, item_number, run_id }: ThoughtRow): Thought['work'] {
  if (project_number === null || item_number === null || run_id === null) return null
  return { item: { projectNumber: project_number, number: item_number }, runId: run_id }
}
