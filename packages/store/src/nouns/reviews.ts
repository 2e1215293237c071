import { Review } from '@treadle/contracts/review'
import type { NewReview, ReviewPatch, Reviews } from '@treadle/flow/ports/reviews'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import {
  bigint,
  filled,
  instant,
  integer,
  json,
  nullable,
  type Row,
  type Rows,
  text,
  uuid,
} from '../driver/tables.ts'
import { migration007 } from '../migrations/007-reviews.ts'
import type { ItemTables } from './items/item-row.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  reviews: {
    id: filled(bigint),
    project_number: integer,
    item_number: integer,
    run_id: uuid,
    cycle: integer,
    branch: text,
    head_commit: text,
    agent_id: text,
    completed_at: instant,
    status: text,
    waits_for: nullable(text),
    why: nullable(text),
    escalated_at: nullable(instant),
    claimed_by_agent_id: nullable(text),
    claimed_at: nullable(instant),
    fence: integer,
    criteria: json,
    checks: json,
    checked_at: nullable(instant),
    checked_tree: nullable(text),
    engine: nullable(text),
    answer: nullable(text),
    feedback: nullable(text),
    decided_by: nullable(text),
    decided_at: nullable(instant),
    evidence: nullable(json),
    repeats: nullable(integer),
    requested: filled(json),
    model: nullable(text),
  },
} as const
type Tables = typeof tables & ItemTables

export const reviews = {
  name: 'reviews',
  tables,
  migrations: [migration007],
  create: ({ database }: StoreParts<Tables>) => createReviews(database),
} as const satisfies StoreModule

function createReviews({ sql: db }: Database<Tables>): Reviews {
  const one = (id: number) => all(db).where('reviews.id', '=', String(id))
  return {
    enqueue: (review, at) => enqueue(db, review, at),
    find: async (id) => first(await one(id).execute()),
    lock: async (id) => {
      // Without the join: only the review itself is to be locked.
      await db.selectFrom('reviews').select('id').where('id', '=', String(id)).forUpdate().execute()
      return first(await one(id).execute())
    },
    latest: async ({ projectNumber, number }) =>
      first(
        await all(db)
          .where('reviews.project_number', '=', projectNumber)
          .where('reviews.item_number', '=', number)
          .orderBy('reviews.id', 'desc')
          .limit(1)
          .execute(),
      ),
    list: async ({ status, item, limit }) => {
      let query = all(db).orderBy('reviews.id', 'desc').limit(limit)
      if (status !== undefined) query = query.where('reviews.status', '=', status)
      if (item?.projectNumber !== undefined)
        query = query.where('reviews.project_number', '=', item.projectNumber)
      if (item?.number !== undefined) query = query.where('reviews.item_number', '=', item.number)
      return (await query.execute()).map(toReview)
    },
    queue: async ({ waitsFor, limit }) => {
      let query = all(db).where('reviews.status', '=', 'pending')
      if (waitsFor !== undefined) query = query.where('reviews.waits_for', '=', waitsFor)
      const rows = await query.orderBy('reviews.completed_at').orderBy('reviews.id').limit(limit).execute()
      return rows.map(toReview)
    },
    claim: async (id, agentId, at) => {
      const { numUpdatedRows } = await db
        .updateTable('reviews')
        .set({
          status: 'in_review',
          waits_for: null,
          claimed_by_agent_id: agentId,
          claimed_at: at,
          fence: sql`fence + 1`,
        })
        .where('id', '=', String(id))
        .where('status', '=', 'pending')
        .where('waits_for', '=', 'reviewer')
        .where('agent_id', '<>', agentId)
        .executeTakeFirst()
      return numUpdatedRows === 0n ? null : first(await one(id).execute())
    },
    release: async (agentId) => {
      const { numUpdatedRows } = await db
        .updateTable('reviews')
        .set({ status: 'pending', waits_for: 'reviewer', claimed_by_agent_id: null, claimed_at: null })
        .where('claimed_by_agent_id', '=', agentId)
        .where('status', '=', 'in_review')
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    extend: async (agentId, byMs) => {
      await db
        .updateTable('reviews')
        .set({ claimed_at: sql`claimed_at + ${byMs} * interval '1 millisecond'` })
        .where('claimed_by_agent_id', '=', agentId)
        .where('status', '=', 'in_review')
        .execute()
    },
    patch: async (id, patch) => {
      const changes = columnsOf(patch)
      if (Object.keys(changes).length > 0)
        await db.updateTable('reviews').set(changes).where('id', '=', String(id)).execute()
    },
    overdue: async (before, limit) => {
      const rows = await all(db).where(isOverdue(before)).orderBy('reviews.id').limit(limit).execute()
      return rows.map(toReview)
    },
  }
}

function all(db: Sql<Tables>) {
  return db
    .selectFrom('reviews')
    .innerJoin('items', (on) =>
      on
        .onRef('items.project_number', '=', 'reviews.project_number')
        .onRef('items.number', '=', 'reviews.item_number'),
    )
    .selectAll('reviews')
    .select('items.title')
}

async function enqueue(db: Sql<Tables>, review: NewReview, at: Date): Promise<Review> {
  const { item, runId, cycle } = review
  await db
    .insertInto('reviews')
    .values({
      project_number: item.projectNumber,
      item_number: item.number,
      run_id: runId,
      cycle,
      branch: storableText(review.branch),
      head_commit: review.head,
      agent_id: review.agentId,
      completed_at: at,
      status: 'pending',
      waits_for: 'checks',
      fence: 0,
      criteria: storableJson(review.criteria),
      checks: storableJson([]),
    })
    .onConflict((on) => on.columns(['run_id', 'cycle']).doNothing())
    .execute()
  const found = first(
    await all(db).where('reviews.run_id', '=', runId).where('reviews.cycle', '=', cycle).execute(),
  )
  if (found === null) throw new Error(`the review of #${item.number} was not written`)
  return found
}

function isOverdue(before: Date) {
  return (on: ExpressionBuilder<Rows<Tables>, 'reviews'>) =>
    on.or([
      on.and([
        on('reviews.status', '=', 'pending'),
        on('reviews.escalated_at', 'is', null),
        on('reviews.completed_at', '<', before),
      ]),
      on.and([on('reviews.status', '=', 'in_review'), on('reviews.claimed_at', '<', before)]),
    ])
}

const textOf = (value: string | null) => (value === null ? null : storableText(value))
const jsonOf = (value: object | null) => (value === null ? null : storableJson(value))

function columnsOf(patch: ReviewPatch) {
  return { ...checkColumns(patch), ...answerColumns(patch) }
}

function checkColumns({ criteria, checks, checkedAt, checkedTree, evidence, repeats }: ReviewPatch) {
  return {
    ...(criteria === undefined ? {} : { criteria: storableJson(criteria) }),
    ...(checks === undefined ? {} : { checks: storableJson(checks) }),
    ...(checkedAt === undefined ? {} : { checked_at: checkedAt }),
    ...(checkedTree === undefined ? {} : { checked_tree: checkedTree }),
    ...(evidence === undefined ? {} : { evidence: jsonOf(evidence) }),
    ...(repeats === undefined ? {} : { repeats }),
  }
}

function answerColumns(patch: ReviewPatch) {
  const { status, waitsFor, why, escalatedAt } = patch
  const { engine, model, answer, feedback, requested, decidedBy, decidedAt } = patch
  return {
    // A claim ends with a new status, whichever that is.
    ...(status === undefined ? {} : { status, claimed_by_agent_id: null, claimed_at: null }),
    ...(waitsFor === undefined ? {} : { waits_for: waitsFor }),
    ...(why === undefined ? {} : { why: textOf(why) }),
    ...(engine === undefined ? {} : { engine }),
    ...(model === undefined ? {} : { model }),
    ...(answer === undefined ? {} : { answer: textOf(answer) }),
    ...(feedback === undefined ? {} : { feedback: textOf(feedback) }),
    ...(requested === undefined ? {} : { requested: storableJson(requested) }),
    ...(decidedBy === undefined ? {} : { decided_by: textOf(decidedBy) }),
    ...(decidedAt === undefined ? {} : { decided_at: decidedAt }),
    ...(escalatedAt === undefined ? {} : { escalated_at: escalatedAt }),
  }
}

type ReviewRow = Row<Tables['reviews']> & { readonly title: string }

function first(rows: readonly ReviewRow[]): Review | null {
  const [row] = rows
  return row === undefined ? null : toReview(row)
}

function toReview(row: ReviewRow): Review {
  const instant = (at: Date | null) => at?.toISOString() ?? null
  return Review.parse({
    id: Number(row.id),
    projectNumber: row.project_number,
    issueNumber: row.item_number,
    issueTitle: row.title,
    branchName: row.branch,
    headCommit: row.head_commit,
    runId: row.run_id,
    cycle: row.cycle,
    completedByAgentId: row.agent_id,
    completedAt: row.completed_at.toISOString(),
    status: row.status,
    waitsFor: row.waits_for,
    why: row.why,
    escalatedAt: instant(row.escalated_at),
    claimedByAgentId: row.claimed_by_agent_id,
    claimedAt: instant(row.claimed_at),
    fence: row.fence,
    criteria: row.criteria,
    checks: row.checks,
    checkedAt: instant(row.checked_at),
    checkedTree: row.checked_tree,
    evidence: row.evidence,
    repeats: row.repeats,
    engine: row.engine,
    model: row.model,
    answer: row.answer,
    feedback: row.feedback,
    requested: row.requested,
    decidedBy: row.decided_by,
    decidedAt: instant(row.decided_at),
  } satisfies Record<keyof Review, unknown>)
}
