// The log of facts, and the feed of it that loses nothing while others are still committing.
import { CURSOR_START, type Cursor, StoredEvent } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { EventQuery, Events, NewEvent, ThoughtEventQuery } from '@treadle/flow/ports/events'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import type { EventNotifier } from '../../driver/event-notifier.ts'
import { storableJson } from '../../driver/storable.ts'
import {
  bigint,
  filled,
  flag,
  instant,
  integer,
  json,
  nullable,
  type Row,
  type Rows,
  text,
  uuid,
} from '../../driver/tables.ts'
import { FAILED_ORDERS } from '../../migrations/019-what-words-told.ts'
import { guidedHint } from '../items/queue-hints.ts'
import type { StoreModule, StoreParts } from '../module.ts'

const eventTables = {
  events: {
    seq: filled(bigint),
    xid: bigint,
    subject: text,
    event_id: text,
    type: text,
    project_number: nullable(integer),
    item_number: nullable(integer),
    agent_id: nullable(text),
    run_id: nullable(uuid),
    state: nullable(text),
    payload: json,
    at: instant,
  },
  /** One row: what is added to a transaction number, so that events keep their order in another database. */
  feed: { id: flag, xid_base: bigint },
} as const
export type EventTables = typeof eventTables

export const events = {
  name: 'events',
  tables: eventTables,
  migrations: [],
  arrival: { mustBeEmpty: ['events'], before: ['delete from feed'], after: [FAILED_ORDERS] },
  ready: anchorFeed,
  create: ({ database, notifier, hints }: StoreParts<EventTables>) => createEvents(database, notifier, hints),
} as const satisfies StoreModule

/** Below it every transaction has ended, so nothing can appear there any more. */
const HORIZON: RawBuilder<string> = sql`(select xid_base from feed)
  + pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

function createEvents(
  { sql: db, execute }: Database<EventTables>,
  notifier: EventNotifier,
  hints: string,
): Events {
  const all = () => db.selectFrom('events').selectAll()
  return {
    append: async (event) => {
      const added = await append(db, event)
      if (added) notifier.notify()
      if (added && event.event.type === 'run.guided' && event.runId !== null)
        await guidedHint(hints, event.runId).execute(db)
      return added
    },
    note: async ({ id, at, runId, fence, event }) => {
      const values = [runId, fence, id, event.type, storableJson(event), at.toISOString()]
      const { rows } = await execute(NOTE, values)
      if (rows.length === 1) notifier.notify()
      return rows.length === 1
    },
    seen: async (id) =>
      (await db.selectFrom('events').select('seq').where('event_id', '=', id).limit(1).executeTakeFirst()) !==
      undefined,
    after: (query) => readAfter(db, query),
    ofThought: (query) => readThought(db, query),
    exists: async (type, correlationId) =>
      (await all()
        .where('type', '=', type)
        .where(correlatesWith(correlationId))
        .limit(1)
        .executeTakeFirst()) !== undefined,
    ofItem: async (ref, limit, types) => {
      const ofIt = all().where('project_number', '=', ref.projectNumber).where('item_number', '=', ref.number)
      const wanted = types === undefined ? ofIt : ofIt.where('type', 'in', types)
      return (await wanted.orderBy('seq', 'desc').limit(limit).execute()).reverse().map(toEvent)
    },
    newest: (query) => readNewest(db, query),
    tail: (query) => readTail(db, query),
  }
}

/** The last place in the feed that can be read now; null while it is empty. */
export function feedHead({ sql: db }: Database<EventTables>): Promise<Cursor | null> {
  return readHead(db)
}

async function readHead(db: Sql<EventTables>): Promise<Cursor | null> {
  const row = await db
    .selectFrom('events')
    .select(['xid', 'seq'])
    .where('xid', '<', HORIZON)
    .orderBy('xid', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : cursorOf(row)
}

/** The row but for its place in the feed, which the database gives it. */
function eventRow(event: NewEvent) {
  return {
    subject: subjectOf(event),
    event_id: event.id,
    type: event.event.type,
    project_number: event.item?.projectNumber ?? null,
    item_number: event.item?.number ?? null,
    agent_id: event.agentId,
    run_id: event.runId,
    state: event.state,
    payload: storableJson(event.event),
    at: event.at,
  }
}

/** To be selected from `feed`. */
export const EVENT_XID = 'xid_base + pg_current_xact_id()::text::bigint'

/** The lock keeps the fence as it is until the note is there. */
const NOTE = `
  insert into events (xid, subject, event_id, type, project_number, item_number, agent_id, run_id, state, payload, at)
  select ${EVENT_XID}, 'item ' || held.project_number || '/' || held.item_number, $3::text, $4::text,
    held.project_number, held.item_number, held.agent_id, $1::uuid, held.state, $5::jsonb, $6::timestamptz
  from feed, (
    select runs.project_number, runs.item_number, runs.agent_id, items.state
    from runs join items on items.project_number = runs.project_number and items.number = runs.item_number
    where runs.id = $1::uuid and runs.fence = $2::integer and items.fence = $2::integer
    for share of items
  ) held
  where not exists (select from events where event_id = $3::text)
  on conflict (event_id, subject) do nothing
  returning seq`

async function append(db: Sql<EventTables>, event: NewEvent): Promise<boolean> {
  const row = eventRow(event)
  const { rows } = await sql<{ seq: string }>`
    insert into events (xid, subject, event_id, type, project_number, item_number, agent_id, run_id,
      state, payload, at)
    select ${sql.raw(EVENT_XID)}, ${row.subject}, ${row.event_id}, ${row.type},
      ${row.project_number}::integer, ${row.item_number}::integer, ${row.agent_id}, ${row.run_id}::uuid,
      ${row.state}, ${row.payload}::jsonb, ${row.at}::timestamptz
    from feed
    on conflict (event_id, subject) do nothing
    returning seq`.execute(db)
  return rows.length === 1
}

export function itemSubject({ projectNumber, number }: ItemRef): string {
  return `item ${projectNumber}/${number}`
}

function subjectOf({ item, runId, agentId }: NewEvent): string {
  if (item !== null) return itemSubject(item)
  if (runId !== null) return `run ${runId}`
  return agentId === null ? 'daemon' : `agent ${agentId}`
}

async function readAfter(
  db: Sql<EventTables>,
  { after, limit, type, correlationId }: EventQuery,
): Promise<{ items: StoredEvent[]; cursor: Cursor }> {
  const [xid = '0', seq = '0'] = after.split('.')
  let query = db
    .selectFrom('events')
    .selectAll()
    .where(sql<boolean>`(xid, seq) > (${bounded(xid)}::bigint, ${bounded(seq)}::bigint)`)
    .where('xid', '<', HORIZON)
  if (type !== undefined) query = query.where('type', '=', type)
  if (correlationId !== undefined) query = query.where(correlatesWith(correlationId))
  const rows = await query.orderBy('xid').orderBy('seq').limit(limit).execute()
  const items = rows.map(toEvent)
  return { items, cursor: items.at(-1)?.cursor ?? after }
}

async function readThought(
  db: Sql<EventTables>,
  { thought, begunBy, after, limit }: ThoughtEventQuery,
): Promise<{ items: StoredEvent[]; cursor: Cursor }> {
  const [xid = '0', seq = '0'] = after.split('.')
  const rows = await db
    .selectFrom('events')
    .selectAll()
    // Without its beginning the whole feed would be looked through.
    .where(sql<boolean>`(xid, seq) >= (select xid, seq from events where event_id = ${begunBy} limit 1)`)
    .where(sql<boolean>`(xid, seq) > (${bounded(xid)}::bigint, ${bounded(seq)}::bigint)`)
    .where('xid', '<', HORIZON)
    .where('type', 'like', 'thought.%')
    .where(sql<boolean>`payload->>'thought' = ${thought}`)
    .orderBy('xid')
    .orderBy('seq')
    .limit(limit)
    .execute()
  const items = rows.map(toEvent)
  return { items, cursor: items.at(-1)?.cursor ?? after }
}

/** The head is read first: what is recorded in between is after it, and comes with the feed. */
async function readTail(
  db: Sql<EventTables>,
  { limit, without }: Parameters<Events['tail']>[0],
): Promise<{ items: StoredEvent[]; cursor: Cursor }> {
  const cursor = await readHead(db)
  if (cursor === null) return { items: [], cursor: CURSOR_START }
  const [xid = '0', seq = '0'] = cursor.split('.')
  let query = db
    .selectFrom('events')
    .selectAll()
    .where(sql<boolean>`(xid, seq) <= (${bounded(xid)}::bigint, ${bounded(seq)}::bigint)`)
  if (without.length > 0) query = query.where('type', 'not in', without)
  const rows = await query.orderBy('xid', 'desc').orderBy('seq', 'desc').limit(limit).execute()
  return { items: rows.reverse().map(toEvent), cursor }
}

async function readNewest(
  db: Sql<EventTables>,
  { type, limit, before }: Parameters<Events['newest']>[0],
): Promise<StoredEvent[]> {
  let query = db.selectFrom('events').selectAll().where('type', '=', type)
  if (before !== undefined) {
    const [xid = '0', seq = '0'] = before.split('.')
    query = query.where(sql<boolean>`(xid, seq) < (${bounded(xid)}::bigint, ${bounded(seq)}::bigint)`)
  }
  return (await query.orderBy('xid', 'desc').orderBy('seq', 'desc').limit(limit).execute()).map(toEvent)
}

const BIGINT_MAX = 2n ** 63n - 1n

function bounded(digits: string): string {
  const number = BigInt(digits)
  return String(number > BIGINT_MAX ? BIGINT_MAX : number)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An item's label, a run's id or an agent's. */
function correlatesWith(id: string) {
  return (on: ExpressionBuilder<Rows<EventTables>, 'events'>) => {
    const label = /^#(\d{1,9})$/.exec(id)
    if (label !== null) return on('item_number', '=', Number(label[1]))
    return UUID.test(id) ? on('run_id', '=', id) : on('agent_id', '=', id)
  }
}

function cursorOf({ xid, seq }: Pick<Row<EventTables['events']>, 'xid' | 'seq'>): Cursor {
  return `${xid}.${seq}`
}

function toEvent(row: Row<EventTables['events']>): StoredEvent {
  return StoredEvent.parse({
    cursor: cursorOf(row),
    id: row.event_id,
    at: row.at.toISOString(),
    item:
      row.project_number === null || row.item_number === null
        ? null
        : { projectNumber: row.project_number, number: row.item_number },
    agentId: row.agent_id,
    runId: row.run_id,
    state: row.state,
    event: row.payload,
  } satisfies Record<keyof StoredEvent, unknown>)
}

/** After a copy into a database that has counted fewer transactions, old events must still sort first. */
async function anchorFeed({ sql: db }: Database): Promise<void> {
  await sql`
    update feed set xid_base = (select max(xid) from events) + 1
    where (select max(xid) from events)
      >= xid_base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db)
}
