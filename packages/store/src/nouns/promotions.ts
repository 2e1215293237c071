import type { Promotion, Promotions } from '@treadle/memory/promotions'
import { sql } from 'kysely'
import type { Database, Sql } from '../driver/database.ts'
import { storableText } from '../driver/storable.ts'
import { filled, instant, integer, nullable, type Row, text, uuid } from '../driver/tables.ts'
import { migration014 } from '../migrations/014-promotion-tries.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  promotions: {
    lesson_id: uuid,
    status: text,
    question_id: nullable(uuid),
    occurrences: integer,
    text: nullable(text),
    file: nullable(text),
    branch: nullable(text),
    commit_id: nullable(text),
    why: nullable(text),
    asked_at: instant,
    decided_at: nullable(instant),
    tries: filled(integer),
    tried_at: nullable(instant),
  },
} as const
type Tables = typeof tables

export const promotions = {
  name: 'promotions',
  tables,
  migrations: [migration014],
  create: ({ database }: StoreParts<Tables>) => createPromotions(database),
} as const satisfies StoreModule

function createPromotions({ sql: db }: Database<Tables>): Promotions {
  return {
    find: async (lessonId) => {
      const row = await db
        .selectFrom('promotions')
        .selectAll()
        .where('lesson_id', '=', lessonId)
        .executeTakeFirst()
      return row === undefined ? null : toPromotion(row)
    },
    lock: async (lessonId) => {
      const query = db.selectFrom('promotions').selectAll().where('lesson_id', '=', lessonId).forUpdate()
      const row = await query.executeTakeFirst()
      return row === undefined ? null : toPromotion(row)
    },
    ask: (asked) => ask(db, asked),
    decide: async (lessonId, { status, text, file, branch, commit, why }, at) => {
      await db
        .updateTable('promotions')
        .set({
          status,
          text: text === null ? null : storableText(text),
          file,
          branch,
          commit_id: commit,
          why: why === null ? null : storableText(why),
          decided_at: at,
        })
        .where('lesson_id', '=', lessonId)
        .where('status', '=', 'asked')
        .execute()
    },
    tried: async (lessonId, at) => {
      const row = await db
        .updateTable('promotions')
        .set({ tries: sql`tries + 1`, tried_at: at })
        .where('lesson_id', '=', lessonId)
        .where('status', '=', 'asked')
        .returning('tries')
        .executeTakeFirst()
      return row?.tries ?? 0
    },
    asked: async (limit) =>
      (
        await db
          .selectFrom('promotions')
          .selectAll()
          .where('status', '=', 'asked')
          .where(
            sql<boolean>`not exists (select 1 from questions
              where questions.id = promotions.question_id and questions.status = 'open')`,
          )
          .orderBy('asked_at')
          .limit(limit)
          .execute()
      ).map(toPromotion),
    candidates: (least) => candidates(db, least),
  }
}

function toPromotion(row: Row<Tables['promotions']>): Promotion {
  return {
    lessonId: row.lesson_id,
    status: row.status as Promotion['status'],
    questionId: row.question_id,
    occurrences: row.occurrences,
    text: row.text,
    file: row.file,
    branch: row.branch,
    commit: row.commit_id,
    why: row.why,
    askedAt: row.asked_at,
    decidedAt: row.decided_at,
    tries: row.tries,
    triedAt: row.tried_at,
  }
}

async function ask(
  db: Sql<Tables>,
  { lessonId, questionId, occurrences, askedAt }: Parameters<Promotions['ask']>[0],
): Promise<boolean> {
  const asked = { status: 'asked', question_id: questionId, occurrences, asked_at: askedAt }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('promotions')
    .values({
      ...asked,
      lesson_id: lessonId,
      text: null,
      file: null,
      branch: null,
      commit_id: null,
      why: null,
      decided_at: null,
    })
    .onConflict((on) =>
      on
        .column('lesson_id')
        .doUpdateSet({ ...asked, why: null, decided_at: null, tries: 0, tried_at: null })
        .where('promotions.status', '=', 'declined'),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function candidates(
  db: Sql<Tables>,
  { confidence, occurrences, places, limit }: Parameters<Promotions['candidates']>[0],
): Promise<string[]> {
  // A question about a lesson was asked about all that took its place.
  const { rows } = await sql<{ id: string }>`
    with recursive asked (id, status, occurrences) as (
      select lesson_id, status, occurrences from promotions
      union
      select lessons.superseded_by, asked.status, asked.occurrences
        from asked join lessons on lessons.id = asked.id
        where lessons.superseded_by is not null
    )
    select id from lessons
    where superseded_at is null and verdict <> 'retired'
      and type in ('pattern', 'gotcha') and btrim(content) <> ''
      and confidence >= ${confidence} and occurrences >= ${occurrences}
      and jsonb_array_length(seen_in) >= ${places}
      and (glob is null or position('/' in regexp_replace(glob, '^\\*\\*/', '')) = 0)
      and not exists (select 1 from asked where asked.id = lessons.id
        and (asked.status <> 'declined' or lessons.occurrences < 2 * asked.occurrences))
    order by confidence desc, occurrences desc, id
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
