import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { type Item, ItemPlan, ItemState, statusOf } from '@treadle/contracts/item'
import { Fault } from '@treadle/flow/fault'
import type { AddedItem, BoardItems, Items, PlanLinks } from '@treadle/flow/ports/items'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import type { JsonRow, Row, Rows } from '../../driver/tables.ts'
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
import { migration033 } from '../../migrations/033-item-plan.ts'
import { migration034 } from '../../migrations/034-item-rank.ts'
import { migration044 } from '../../migrations/044-item-target.ts'
import { migration051 } from '../../migrations/051-item-owner.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import { UNBLOCKED_SQL, withBlockers } from './blockers.ts'
import { type ItemTables, itemFromJson, itemTables, planColumns, toColumns, toItem } from './item-row.ts'
import { ADDED_HINT_SQL, freeHint } from './queue-hints.ts'

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
    migration033,
    migration034,
    migration044,
    migration051,
  ],
  arrival: { mustBeEmpty: ['items'], after: [SENT_BACK_BY] },
  create: ({ database, hints }: StoreParts<ItemTables>) => createItems(database, hints),
} as const satisfies StoreModule

/** Items of a build are offered while it runs. */
const BUILD_RUNS_SQL = `(items.build is null
  or exists (select 1 from builds where builds.id = items.build and builds.status = 'running'))`

/** Items that an agent may claim: nobody holds them, and they wait for somebody. The claim asks the same. */
export const CLAIMABLE_SQL = `claimed_by_agent_id is null
  and (state in ('todo', 'rework') or (state = 'backlog' and not needs_human)) and ${UNBLOCKED_SQL}
  and ${BUILD_RUNS_SQL} and not requires_coordination`

/** Items kept for one agent are nobody else's, for as long as that one runs. */
export const NOT_KEPT_SQL = `(assigned_agent_id is null
  or not exists (select 1 from agents where agents.id = assigned_agent_id
    and agents.wanted = 'running' and agents.status <> 'failed'))`

/** Whole texts, because an agent waits for the answer; only what is returned becomes JSON. */
const queueText = (where: string, order: string) => `
  select row_to_json(queued) as item from (
    select * from items where ${CLAIMABLE_SQL} ${where}
    order by ${order} (state = 'rework') desc, priority asc nulls last, coalesce(rank, number),
      number, project_number
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
    find: async (ref) => {
      const [item] = await withBlockers(database, (await one(ref).execute()).map(toItem))
      return item ?? null
    },
    lock: async (ref) => itemOrNull(await one(ref).forUpdate().executeTakeFirst()),
    ...createPlans(database, channel),
    save: async (item) => {
      const change = db.updateTable('items').set(toColumns(item)).where(isItem(item))
      // Whoever waits for work, or works under a claim that is gone, is to hear of it at once.
      const told = item.claimedByAgentId === null ? freeHint(channel, item) : sql`null`
      const saved = await change.returning(told.as('told')).execute()
      if (saved.length !== 1) throw new Fault('store_item', `there is no item #${item.number} to save`)
    },
    list: async ({ status, projectNumber, numbers, label, limit }) => {
      let query = all().orderBy('project_number').orderBy('number').limit(limit)
      if (projectNumber !== undefined) query = query.where('project_number', '=', projectNumber)
      if (numbers !== undefined) query = query.where('number', 'in', numbers)
      if (label !== undefined) query = query.where(sql<boolean>`labels @> ${JSON.stringify([label])}::jsonb`)
      if (status !== undefined) query = query.where('state', 'in', statesOf(status))
      return withBlockers(database, (await query.execute()).map(toItem))
    },
    board: (bounds) => readBoard(database, bounds),
    queue: async (limit, agentId) => {
      const { rows } = await (agentId === undefined
        ? database.execute(QUEUE, [limit])
        : database.execute(QUEUE_FOR, [limit, agentId]))
      return (rows as { item: JsonRow<ItemTables['items']> }[]).map(({ item }) => itemFromJson(item))
    },
    ofBuild: async (build) => {
      const rows = await all().where('build', '=', build).orderBy('number').execute()
      return withBlockers(database, rows.map(toItem))
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

function createPlans(
  database: Database<ItemTables>,
  channel: string,
): Pick<Items, 'lockPlans' | 'plans' | 'plan' | 'respace'> {
  const { sql: db } = database
  return {
    lockPlans: async (projectNumber) => {
      await db
        .selectFrom('projects')
        .select('number')
        .where('number', '=', projectNumber)
        .forUpdate()
        .execute()
    },
    plans: (projectNumber) => readPlans(database, projectNumber),
    plan: async (item, at) => {
      const { priority, rank, engine, requiresCoordination: requires_coordination } = item
      const plan = { ...planColumns(item), priority, rank, engine, requires_coordination }
      const change = { ...plan, updated_at: at }
      const told = item.claimedByAgentId === null ? freeHint(channel, item) : sql`null`
      await db
        .updateTable('items')
        .set(change)
        .where(isItem(item))
        .returning(told.as('told'))
        .executeTakeFirstOrThrow()
    },
    respace: async (projectNumber) => {
      await database.execute(LOCK_ALL, [projectNumber])
      await database.execute(RESPACE, [projectNumber])
    },
  }
}

/** Rows are locked in one order, so that two who lock several never wait for each other. */
const LOCK_ALL = 'select number from items where project_number = $1 order by number for update'
/** Numbers have no gaps, so the last place is the last number, and what is added later still comes behind it. */
const RESPACE = `
  update items set rank = placed.place from (
    select number, row_number() over (order by coalesce(rank, number), number) as place
    from items where project_number = $1
  ) placed
  where items.project_number = $1 and items.number = placed.number
    and coalesce(items.rank, items.number) <> placed.place`

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
    given.parent,
    storableJson(given.dependsOn),
    storableJson(given.files),
    given.phase === null ? null : storableText(given.phase),
    given.estimateHours,
    given.source,
    given.target,
    given.specTask === null ? null : storableJson(given.specTask),
    given.build ?? null,
    given.owner == null ? null : storableText(given.owner),
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
    created_at, updated_at, measure, reverts, model, effort, parent, depends_on, files, phase, estimate_hours,
    source, target, spec_task, build, owner, requires_coordination)
  select $1, last_item_number, $2::text, $3::text, $4::jsonb, $5::integer, $6::jsonb, $7::text, $8::boolean,
    $9::text, $10::text, false, false, 0, 0, 0, 0, $11::timestamptz, $11::timestamptz, $13::jsonb, $14::jsonb,
    $15::text, $16::text, $17::integer, $18::jsonb, $19::jsonb, $20::text, $21::double precision, $22::text,
    $23::text, $24::jsonb, $25::uuid, $26::text,
    $26::text is not null
  from taken
  returning row_to_json(items) as item, pg_notify($12, ${ADDED_HINT_SQL})`

const ENDED: readonly ItemState[] = ['done', 'withdrawn']

/** Only what cycles are looked for in; an item without a parent and dependencies is in none. */
async function readPlans({ sql: db }: Database<ItemTables>, projectNumber: number): Promise<PlanLinks[]> {
  const rows = await db
    .selectFrom('items')
    .select(['number', 'parent', 'depends_on', 'state', 'priority', 'rank'])
    .where('project_number', '=', projectNumber)
    .execute()
  return rows.map(({ number, parent, depends_on, state, priority, rank }) => ({
    number,
    parent,
    priority,
    rank: rank ?? number,
    dependsOn: ItemPlan.shape.dependsOn.parse(depends_on),
    state: ItemState.parse(state),
  }))
}

async function readBoard(
  database: Database<ItemTables>,
  { openMax, endedMax }: Parameters<Items['board']>[0],
): Promise<BoardItems> {
  const { sql: db } = database
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
    items: (await withBlockers(database, [...open, ...ended].map(toItem))).sort(byNumber),
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
