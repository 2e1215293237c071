import type { Lesson } from '@treadle/contracts/lesson'
import type { LessonFilter, LessonMark, Lessons } from '@treadle/memory/lessons'
import { sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import { storableText } from '../../driver/storable.ts'
import { migration009 } from '../../migrations/009-lessons.ts'
import { migration013 } from '../../migrations/013-weighed-lessons.ts'
import { migration026 } from '../../migrations/026-unconfirmed-lessons.ts'
import type { StoreModule, StoreParts } from '../module.ts'
import { asked, fitRank, isAbout, KnownGlobs, recallLessons } from './recall.ts'
import { findLesson, markSuperseded, recordLesson } from './record.ts'
import {
  hasWords,
  type LessonTables,
  lessonTables,
  lockLessons,
  nextRevision,
  toLesson,
  toRow,
} from './rows.ts'
import type { LessonUseTables } from './uses.ts'

export const lessons = {
  name: 'lessons',
  tables: lessonTables,
  migrations: [migration009, migration013, migration026],
  arrival: {
    mustBeEmpty: ['lessons'],
    after: [
      `update lessons set superseded_at = updated_at where superseded_by is not null and superseded_at is null`,
      `update lessons set content = left(payload ->> 'summary', 4000)
       where content = '' and jsonb_typeof(payload -> 'summary') = 'string'`,
    ],
  },
  create: ({ database }: StoreParts<LessonTables & LessonUseTables>) => createLessons(database),
} as const satisfies StoreModule

const WHY_MAX = 1_000
/** Rows of one statement. */
const BATCH = 200

function createLessons(database: Database<LessonTables & LessonUseTables>): Lessons {
  const { sql: db } = database
  const globs = new KnownGlobs(db)
  return {
    recall: (query) => recallLessons(db, globs, query),
    record: (lesson, at) => recordLesson(database, lesson, at),
    find: (id) => findLesson(db, id),
    named: (prefix, limit) => named(db, prefix, limit),
    some: (ids) => some(db, ids),
    list: (filter) => list(db, globs, filter),
    supersede: (id, how, at) => database.tx(() => supersede(db, id, { ...how, at })),
    reconsider: (id, changes, at) =>
      database.tx(async () => {
        await lockLessons(db)
        const { confidence, verdict, looks, confirmed, why } = changes
        const row = await db
          .updateTable('lessons')
          .set({
            ...(confidence === undefined ? {} : { confidence, weighed: true }),
            ...(verdict === undefined ? {} : { verdict }),
            ...(looks === undefined ? {} : { looks }),
            ...(confirmed === true ? { unconfirmed: false } : {}),
            why: storableText(why).slice(0, WHY_MAX).toWellFormed(),
            updated_at: at,
            revision: nextRevision,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
        return row === undefined ? null : toLesson(row)
      }),
    restore: (lessons) => database.tx(() => restore(db, lessons)),
    writtenSince: (mark, limit) => writtenSince(db, mark, limit),
  }
}

async function named(db: Sql<LessonTables>, prefix: string, limit: number): Promise<Lesson[]> {
  if (!/^[0-9a-f-]{1,36}$/i.test(prefix)) return []
  const rows = await db
    .selectFrom('lessons')
    .selectAll()
    .where(sql<boolean>`id::text like ${`${prefix.toLowerCase()}%`}`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toLesson)
}

async function some(db: Sql<LessonTables>, ids: readonly string[]): Promise<Lesson[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('lessons')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, toLesson(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function list(db: Sql<LessonTables>, globs: KnownGlobs, filter: LessonFilter): Promise<Lesson[]> {
  const { type, verdict, all, topic, path, text, after, limit } = filter
  let rows = db.selectFrom('lessons').selectAll()
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (verdict !== undefined) rows = rows.where('verdict', '=', verdict)
  if (topic !== undefined) rows = rows.where('topic', '=', storableText(topic))
  if (text !== undefined) rows = rows.where(hasWords(asked(text)))
  if (all !== true) rows = rows.where('superseded_at', 'is', null)
  if (all !== true && verdict === undefined) rows = rows.where('verdict', '<>', 'retired')
  if (after !== undefined)
    rows = rows.where(
      sql<boolean>`(created_at, id) < (select created_at, id from lessons where id = ${after}::uuid)`,
    )
  const fitting = path === undefined ? [] : await globs.fitting(storableText(path))
  if (path !== undefined) rows = rows.where(isAbout(fitting)).orderBy(fitRank(fitting), 'desc')
  const found = await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return found.map(toLesson)
}

async function supersede(
  db: Sql<LessonTables>,
  id: string,
  { by, why, at }: { by: string | null; why: string; at: Date },
): Promise<Lesson | null> {
  await lockLessons(db)
  if ((await findLesson(db, id)) === null || by === id) return null
  const successor = by === null ? null : await findLesson(db, by)
  if (by !== null && (successor === null || successor.supersededAt !== null)) return null
  return markSuperseded(db, id, { by, why: storableText(why).slice(0, WHY_MAX).toWellFormed(), at })
}

/** A lesson that is there under another id counts as known: it is the same one. */
async function restore(
  db: Sql<LessonTables>,
  lessons: readonly Lesson[],
): Promise<{ restored: number; known: number }> {
  await lockLessons(db)
  const { last } = await db
    .selectFrom('lessons')
    .select(sql<number>`coalesce(max(revision), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  let restored = 0
  for (let from = 0; from < lessons.length; from += BATCH) {
    const rows = lessons
      .slice(from, from + BATCH)
      .map((lesson, nth) => ({ ...toRow(lesson), revision: last + from + nth + 1 }))
    const made = await db
      .insertInto('lessons')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .returning('id')
      .execute()
    restored += made.length
  }
  return { restored, known: lessons.length - restored }
}

async function writtenSince(
  db: Sql<LessonTables>,
  mark: LessonMark | null,
  limit: number,
): Promise<{ lesson: Lesson; mark: LessonMark }[]> {
  let rows = db.selectFrom('lessons').selectAll().orderBy('revision').orderBy('id').limit(limit)
  if (mark !== null) rows = rows.where(sql<boolean>`(revision, id) > (${mark.revision}, ${mark.id}::uuid)`)
  const found = await rows.execute()
  return found.map((row) => ({ lesson: toLesson(row), mark: { revision: row.revision, id: row.id } }))
}
