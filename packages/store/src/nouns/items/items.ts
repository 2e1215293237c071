import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { Item, ItemState, statusOf } from '@treadle/contracts/item'
import { Fault } from '@treadle/flow/fault'
import type { AddedItem, BoardItems, Items } from '@treadle/flow/ports/items'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import {
  filled,
  flag,
  instant,
  integer,
  type JsonRow,
  json,
  nullable,
  type Row,
  type Rows,
  text,
  uuid,
} from '../../driver/tables.ts'
import { migration001 } from '../../migrations/001-foundation.ts'
import { migration002 } from '../../migrations/002-may-change-tests.ts'
import { migration005 } from '../../migrations/005-assigned-agent.ts'
import { migration008 } from '../../migrations/008-goals.ts'
import { migration018, SENT_BACK_BY } from '../../migrations/018-sent-back-by.ts'
import { migration020 } from '../../migrations/020-evidence.ts'
import { migration021 } from '../../migrations/021-measure.ts'
import { migration022 } from '../../migrations/022-requested-changes.ts'
import { migration023 } from '../../migrations/023-reverts.ts'
import { migration025 } from '../../migrations/025-starts-anew.ts'
import { migration027 } from '../../migrations/027-review-model.ts'
import { migration028 } from '../../migrations/028-item-model.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import { ADDED_HINT_SQL, freeHint } from './queue-hints.ts'

const itemTables = {
  projects: { number: integer, last_item_number: integer },
  items: {
    project_number: integer,
    number: integer,
    title: text,
    body: text,
    labels: json,
    priority: nullable(integer),
    acceptance: json,
    test_command: nullable(text),
    state: text,
    needs_human: flag,
    needs_rework: flag,
    attempts: integer,
    review_cycles: integer,
    reminders: integer,
    claimed_by_agent_id: nullable(text),
    claimed_at: nullable(instant),
    fence: integer,
    run_id: nullable(uuid),
    branch: nullable(text),
    head_commit: nullable(text),
    merge_commit: nullable(text),
    approval: nullable(json),
    confidence: nullable(json),
    reason: nullable(text),
    deadline_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
    may_change_tests: filled(flag),
    assigned_agent_id: nullable(text),
    engine: nullable(text),
    sent_back_by: nullable(text),
    evidence: nullable(json),
    measure: nullable(json),
    reverts: nullable(json),
    starts_anew: filled(flag),
    model: nullable(text),
    effort: nullable(text),
  },
} as const
export type ItemTables = typeof itemTables

export const items = {
  name: 'items',
  tables: itemTables,
  migrations: [
    migration001,
    migration002,
    migration005,
    migration008,
    migration018,
    migration020,
    migration021,
    migration022,
    migration023,
    migration025,
    migration027,
    migration028,
  ],
  arrival: { mustBeEmpty: ['items'], after: [SENT_BACK_BY] },
  create: ({ database, hints }: StoreParts<ItemTables>) => createItems(database, hints),
} as const satisfies StoreModule

/** Items that an agent may claim: nobody holds them, and they wait for somebody. The claim asks the same. */
export const CLAIMABLE_SQL = `claimed_by_agent_id is null
  and (state in ('todo', 'rework') or (state = 'backlog' and not needs_human))`

/** Items kept for one agent are nobody else's, for as long as that one runs. */
export const NOT_KEPT_SQL = `(assigned_agent_id is null
  or not exists (select 1 from agents where agents.id = assigned_agent_id
    and agents.wanted = 'running' and agents.status <> 'failed'))`

/** Whole texts, because an agent waits for the answer; only what is returned becomes JSON. */
const queueText = (where: string, order: string) => `
  select row_to_json(queued) as item from (
    select * from items where ${CLAIMABLE_SQL} ${where}
    order by ${order} (state = 'rework') desc, priority asc nulls last, number, project_number
    limit $1
  ) queued`
const QUEUE = queueText('', '')
/** A queue in which a person's choice for this agent comes before everything else. */
const QUEUE_FOR = queueText(
  `and (assigned_agent_id = $2 or ${NOT_KEPT_SQL})`,
  '(assigned_agent_id is not distinct from $2) desc,',
)

function createItems(database: Database<ItemTables>, channel: string): Items {
  const { sql: db } = database
  const all = () => db.selectFrom('items').selectAll()
  const one = (ref: ItemRef) => all().where(isItem(ref))
  return {
    add: (item, at) => addItem(database, channel, item, at),
    find: async (ref) => itemOrNull(await one(ref).executeTakeFirst()),
    lock: async (ref) => itemOrNull(await one(ref).forUpdate().executeTakeFirst()),
    save: async (item) => {
      const change = db.updateTable('items').set(toColumns(item)).where(isItem(item))
      // Whoever waits for work, or works under a claim that is gone, is to hear of it at once.
      const told = item.claimedByAgentId === null ? freeHint(channel, item) : sql`null`
      const saved = await change.returning(told.as('told')).execute()
      if (saved.length !== 1) throw new Fault('store_item', `there is no item #${item.number} to save`)
    },
    list: async ({ status, projectNumber, limit }) => {
      let query = all().orderBy('project_number').orderBy('number').limit(limit)
      if (projectNumber !== undefined) query = query.where('project_number', '=', projectNumber)
      if (status !== undefined) query = query.where('state', 'in', statesOf(status))
      return (await query.execute()).map(toItem)
    },
    board: (bounds) => readBoard(database, bounds),
    queue: async (limit, agentId) => {
      const { rows } = await (agentId === undefined
        ? database.execute(QUEUE, [limit])
        : database.execute(QUEUE_FOR, [limit, agentId]))
      return (rows as { item: JsonRow<ItemTables['items']> }[]).map(({ item }) => itemFromJson(item))
    },
    heldBy: async (agentId: AgentId) =>
      itemOrNull(
        await all()
          .where('claimed_by_agent_id', '=', agentId)
          .orderBy('claimed_at')
          .orderBy('number')
          .limit(1)
          .executeTakeFirst(),
      ),
    due: async (now, limit) =>
      (await all().where('deadline_at', '<=', now).orderBy('deadline_at').limit(limit).execute()).map(toItem),
    revertOf: async ({ projectNumber, number }) =>
      itemOrNull(
        await all()
          .where('project_number', '=', projectNumber)
          .where('reverts', 'is not', null)
          .where(sql<number>`(reverts ->> 'number')::integer`, '=', number)
          .where('state', '<>', 'withdrawn')
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirst(),
      ),
    inStates: async (states, limit) =>
      states.length === 0
        ? []
        : (
            await all()
              .where('state', 'in', states)
              .orderBy('updated_at')
              .orderBy('number')
              .limit(limit)
              .execute()
          ).map(toItem),
  }
}

function isItem(ref: ItemRef) {
  return (on: ExpressionBuilder<Rows<ItemTables>, 'items'>) =>
    on.and([on('project_number', '=', ref.projectNumber), on('number', '=', ref.number)])
}

/** The project's row hands out the numbers: it is locked until the item is there, so none is skipped. */
async function addItem(
  database: Database<ItemTables>,
  channel: string,
  given: AddedItem,
  at: Date,
): Promise<Item> {
  const acceptance = given.acceptance.map((text) => ({ id: null, text, status: 'pending' }))
  const { rows } = await database.execute(ADD, [
    given.projectNumber,
    storableText(given.title),
    storableText(given.body),
    storableJson(given.labels),
    given.priority,
    storableJson(acceptance),
    given.testCommand === null ? null : storableText(given.testCommand),
    given.mayChangeTests,
    given.engine === null ? null : storableText(given.engine),
    given.status,
    at.toISOString(),
    channel,
    given.measure === null ? null : storableJson(given.measure),
    given.reverts == null ? null : storableJson(given.reverts),
    given.model === null ? null : storableText(given.model),
    given.effort,
  ])
  const [row] = rows as { item: JsonRow<ItemTables['items']> }[]
  if (row === undefined) throw new Fault('store_item', 'the item was not added')
  return itemFromJson(row.item)
}

const ADD = `
  with taken as (
    insert into projects (number, last_item_number) values ($1, 1)
    on conflict (number) do update set last_item_number = projects.last_item_number + 1
    returning last_item_number
  )
  insert into items (project_number, number, title, body, labels, priority, acceptance, test_command,
    may_change_tests, engine, state, needs_human, needs_rework, attempts, review_cycles, reminders, fence,
    created_at, updated_at, measure, reverts, model, effort)
  select $1, last_item_number, $2::text, $3::text, $4::jsonb, $5::integer, $6::jsonb, $7::text, $8::boolean,
    $9::text, $10::text, false, false, 0, 0, 0, 0, $11::timestamptz, $11::timestamptz, $13::jsonb, $14::jsonb,
    $15::text, $16::text
  from taken
  returning row_to_json(items) as item, pg_notify($12, ${ADDED_HINT_SQL})`

const ENDED: readonly ItemState[] = ['done', 'withdrawn']

async function readBoard(
  { sql: db }: Database<ItemTables>,
  { openMax, endedMax }: Parameters<Items['board']>[0],
): Promise<BoardItems> {
  const newest = (is: 'in' | 'not in', limit: number) =>
    db
      .selectFrom('items')
      .selectAll()
      .where('state', is, ENDED)
      .orderBy('updated_at', 'desc')
      .orderBy('number', 'desc')
      .limit(limit)
      .execute()
  const [open, ended] = [await newest('not in', openMax), await newest('in', endedMax)]
  // Counted only if there may be more.
  const beside = async (is: 'in' | 'not in', got: number, limit: number) => {
    if (got < limit) return 0
    const counted = await db
      .selectFrom('items')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('state', is, ENDED)
      .executeTakeFirstOrThrow()
    return Math.max(0, Number(counted.count) - got)
  }
  const byNumber = (a: Item, b: Item) => a.projectNumber - b.projectNumber || a.number - b.number
  return {
    items: [...open, ...ended].map(toItem).sort(byNumber),
    leftOut: {
      open: await beside('not in', open.length, openMax),
      ended: await beside('in', ended.length, endedMax),
    },
  }
}

function statesOf(status: Item['status']): ItemState[] {
  return ItemState.options.filter((state) => statusOf(state) === status)
}

function itemOrNull(row: Row<ItemTables['items']> | undefined): Item | null {
  return row === undefined ? null : toItem(row)
}

type Instants = Pick<Item, 'claimedAt' | 'deadlineAt' | 'createdAt' | 'updatedAt'>

function toItem(row: Row<ItemTables['items']>): Item {
  return itemOf(row, {
    claimedAt: row.claimed_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  })
}

export function itemFromJson(row: JsonRow<ItemTables['items']>): Item {
  return itemOf(row, {
    claimedAt: row.claimed_at === null ? null : isoOf(row.claimed_at),
    deadlineAt: row.deadline_at === null ? null : isoOf(row.deadline_at),
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
  })
}

const MILLISECONDS = /^[\d-]+T[\d:]+\.\d{3}(?=\+00:00$)/

/** As the server prints an instant; to read and print it again is a tenth of a claim. */
function isoOf(text: string): string {
  const plain = MILLISECONDS.exec(text)
  return plain === null ? new Date(text).toISOString() : `${plain[0]}Z`
}

function itemOf(row: Row<ItemTables['items']> | JsonRow<ItemTables['items']>, instants: Instants): Item {
  return Item.parse({
    projectNumber: row.project_number,
    number: row.number,
    title: row.title,
    body: row.body,
    labels: row.labels,
    priority: row.priority,
    acceptance: row.acceptance,
    testCommand: row.test_command,
    measure: row.measure,
    mayChangeTests: row.may_change_tests,
    reverts: row.reverts,
    engine: row.engine,
    model: row.model,
    effort: row.effort,
    state: row.state,
    // A state that is none fails with the line above.
    status: statusOf(row.state as ItemState),
    needsHuman: row.needs_human,
    needsRework: row.needs_rework,
    sentBackBy: row.sent_back_by,
    startsAnew: row.starts_anew,
    attempts: row.attempts,
    reviewCycles: row.review_cycles,
    reminders: row.reminders,
    claimedByAgentId: row.claimed_by_agent_id,
    assignedAgentId: row.assigned_agent_id,
    claimedAt: instants.claimedAt,
    fence: row.fence,
    runId: row.run_id,
    branch: row.branch,
    headCommit: row.head_commit,
    mergeCommit: row.merge_commit,
    approval: row.approval,
    confidence: row.confidence,
    evidence: row.evidence,
    reason: row.reason,
    deadlineAt: instants.deadlineAt,
    createdAt: instants.createdAt,
    updatedAt: instants.updatedAt,
  } satisfies Record<keyof Item, unknown>)
}

/** All but the key; the status is not stored, it follows from the state. */
function toColumns(item: Item) {
  return {
    title: storableText(item.title),
    body: storableText(item.body),
    labels: storableJson(item.labels),
    priority: item.priority,
    acceptance: storableJson(item.acceptance),
    test_command: item.testCommand === null ? null : storableText(item.testCommand),
    measure: item.measure === null ? null : storableJson(item.measure),
    may_change_tests: item.mayChangeTests,
    reverts: item.reverts === null ? null : storableJson(item.reverts),
    engine: item.engine === null ? null : storableText(item.engine),
    model: item.model === null ? null : storableText(item.model),
    effort: item.effort,
    state: item.state,
    needs_human: item.needsHuman,
    needs_rework: item.needsRework,
    sent_back_by: item.sentBackBy,
    starts_anew: item.startsAnew,
    attempts: item.attempts,
    review_cycles: item.reviewCycles,
    reminders: item.reminders,
    claimed_by_agent_id: item.claimedByAgentId,
    assigned_agent_id: item.assignedAgentId,
    claimed_at: dateOrNull(item.claimedAt),
    fence: item.fence,
    run_id: item.runId,
    branch: item.branch,
    head_commit: item.headCommit,
    merge_commit: item.mergeCommit,
    approval: item.approval === null ? null : storableJson(item.approval),
    confidence: item.confidence === null ? null : storableJson(item.confidence),
    evidence: item.evidence === null ? null : storableJson(item.evidence),
    reason: item.reason === null ? null : storableText(item.reason),
    deadline_at: dateOrNull(item.deadlineAt),
    created_at: new Date(item.createdAt),
    updated_at: new Date(item.updatedAt),
  }
}

function dateOrNull(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant)
}
