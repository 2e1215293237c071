import { Review } from '@treadle/contracts/review'
import type { NewReview, ReviewPatch, Reviews } from '@treadle/flow/ports/reviews'
import { sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { bigint, filled, instant, integer, json, nullable, type Row, text, uuid } from '../driver/tables.ts'
import { migration007 } from '../migrations/007-reviews.ts'
import type { ItemTables } from './items/item-row.ts'
import type { StoreModule, StoreParts } from './module.ts'
import type { ThoughtTables } from './thoughts.ts'

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
    thought_id: nullable(uuid),
  },
} as const
type Tables = typeof tables & ItemTables & ThoughtTables

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
    ofThought: async (thoughtId) =>
      first(await all(db).where('reviews.thought_id', '=', thoughtId).execute()),
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
      if (status !== undefined) query = query.where('reviews.status', '=', storedAs(status))
      if (status === 'in_review') query = query.where(isRead)
      if (status === 'pending') query = query.where(isUnread)
      if (item?.projectNumber !== undefined)
        query = query.where('reviews.project_number', '=', item.projectNumber)
      if (item?.number !== undefined) query = query.where('reviews.item_number', '=', item.number)
      return (await query.execute()).map(toReview)
    },
    queue: async ({ waitsFor, limit }) => {
      let query = all(db).where('reviews.status', '=', 'pending').where(isUnread)
      if (waitsFor !== undefined) query = query.where('reviews.waits_for', '=', waitsFor)
      const rows = await query.orderBy('reviews.completed_at').orderBy('reviews.id').limit(limit).execute()
      return rows.map(toReview)
    },
    patch: async (id, patch) => {
      const changes = columnsOf(patch)
      if (Object.keys(changes).length > 0)
        await db.updateTable('reviews').set(changes).where('id', '=', String(id)).execute()
    },
    overdue: async (before, limit) => {
      const rows = await all(db)
        .where('reviews.status', '=', 'pending')
        .where(isUnread)
        .where('reviews.escalated_at', 'is', null)
        .where('reviews.completed_at', '<', before)
        .orderBy('reviews.id')
        .limit(limit)
        .execute()
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
    .leftJoin('thoughts', 'thoughts.id', 'reviews.thought_id')
    .selectAll('reviews')
    .select([
      'items.title',
      'thoughts.status as thought_status',
      'thoughts.engine as thought_engine',
      'thoughts.fence as thought_fence',
      'thoughts.agent_id as reader',
      'thoughts.claimed_at as read_since',
    ])
}

/** That somebody reads it is known by its thought alone. */
const isRead = sql<boolean>`thoughts.status is not distinct from 'claimed'`
const isUnread = sql<boolean>`thoughts.status is distinct from 'claimed'`
const storedAs = (status: Review['status']) => (status === 'in_review' ? 'pending' : status)

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
  const { status, waitsFor, why, escalatedAt, thoughtId } = patch
  const { engine, model, answer, feedback, requested, decidedBy, decidedAt } = patch
  return {
    ...(status === undefined ? {} : { status }),
    ...(thoughtId === undefined ? {} : { thought_id: thoughtId }),
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

interface Reading {
  readonly title: string
  readonly thought_status: string | null
  readonly thought_engine: string | null
  readonly thought_fence: number | null
  readonly reader: string | null
  readonly read_since: Date | null
}
type ReviewRow = Row<Tables['reviews']> & Reading

function first(rows: readonly ReviewRow[]): Review | null {
  const [row] = rows
  return row === undefined ? null : toReview(row)
}

function toReview(row: ReviewRow): Review {
  const instant = (at: Date | null) => at?.toISOString() ?? null
  const isBeingRead = row.status === 'pending' && row.thought_status === 'claimed'
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
    status: isBeingRead ? 'in_review' : row.status,
    waitsFor: isBeingRead ? null : row.waits_for,
    why: row.why,
    escalatedAt: instant(row.escalated_at),
    claimedByAgentId: isBeingRead ? row.reader : null,
    claimedAt: isBeingRead ? instant(row.read_since) : null,
    judgement: judgementIn(row),
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

function judgementIn({ thought_id, thought_engine, thought_fence }: ReviewRow): Review['judgement'] {
  if (thought_id === null || thought_engine === null || thought_fence === null) return null
  return { thoughtId: thought_id, engine: thought_engine, fence: thought_fence }
}
