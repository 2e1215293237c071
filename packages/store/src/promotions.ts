import type { Promotion, Promotions } from '@treadle/flow/ports'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Row } from './schema.ts'
import { storableText } from './storable.ts'

export function createPromotions({ sql: db }: Database): Promotions {
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
    asked: async (limit) =>
      (
        await db
          .selectFrom('promotions')
          .selectAll()
          .where('status', '=', 'asked')
          .orderBy('asked_at')
          .limit(limit)
          .execute()
      ).map(toPromotion),
    candidates: (least) => candidates(db, least),
  }
}

function toPromotion(row: Row<'promotions'>): Promotion {
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
  }
}

async function ask(
  db: Database['sql'],
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
        .doUpdateSet({ ...asked, why: null, decided_at: null })
        .where('promotions.status', '=', 'declined'),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

async function candidates(
  db: Database['sql'],
  { confidence, occurrences, limit }: Parameters<Promotions['candidates']>[0],
): Promise<string[]> {
  const rows = await db
    .selectFrom('lessons')
    .select('id')
    .where('superseded_at', 'is', null)
    .where('verdict', '<>', 'retired')
    .where('confidence', '>=', confidence)
    .where('occurrences', '>=', occurrences)
    .where(
      sql<boolean>`not exists (select 1 from promotions
        where promotions.lesson_id = lessons.id and promotions.status <> 'declined')`,
    )
    .orderBy('confidence', 'desc')
    .orderBy('occurrences', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
