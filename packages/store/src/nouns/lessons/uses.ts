import type { LessonUse, LessonUses, NewUse, UseCounts } from '@treadle/memory/trial/uses'
import { sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import { storableText } from '../../driver/storable.ts'
import { flag, instant, integer, nullable, type Row, real, text, uuid } from '../../driver/tables.ts'
import { migration010 } from '../../migrations/010-learning.ts'
import type { StoreModule, StoreParts } from '../module.ts'

const lessonUseTables = {
  lesson_uses: {
    lesson_id: uuid,
    run_id: uuid,
    stratum: text,
    nth: integer,
    given: text,
    why: nullable(text),
    attempt: integer,
    drawn: flag,
    outcome: nullable(text),
    usd: nullable(real),
    at: instant,
    settled_at: nullable(instant),
  },
} as const
export type LessonUseTables = typeof lessonUseTables

export const lessonUses = {
  name: 'lessonUses',
  tables: lessonUseTables,
  migrations: [migration010],
  create: ({ database, schema }: StoreParts<LessonUseTables>) => createLessonUses(database, schema),
} as const satisfies StoreModule

function createLessonUses({ sql: db }: Database<LessonUseTables>, schema: string): LessonUses {
  return {
    ofRun: async (runId) =>
      (await db.selectFrom('lesson_uses').selectAll().where('run_id', '=', runId).execute()).map(toUse),
    lockDraws: async () => {
      await sql`select pg_advisory_xact_lock(hashtext(${`treadle lesson draws ${schema}`}))`.execute(db)
    },
    drawnIn: async (stratum, lessonIds) => {
      const drawn = new Map(lessonIds.map((id) => [id, 0]))
      if (lessonIds.length === 0) return drawn
      const rows = await db
        .selectFrom('lesson_uses')
        .select(['lesson_id', sql<string>`count(*)`.as('count')])
        .where('lesson_id', 'in', [...lessonIds])
        .where('stratum', '=', storableText(stratum))
        .where('drawn', '=', true)
        .groupBy('lesson_id')
        .execute()
      for (const { lesson_id, count } of rows) drawn.set(lesson_id, Number(count))
      return drawn
    },
    add: (uses) => add(db, uses),
    settle: async (runId, settlements, at) => {
      const settled: string[] = []
      for (const { lessonId, outcome, usd } of settlements) {
        const { numUpdatedRows } = await db
          .updateTable('lesson_uses')
          .set({ outcome, usd, settled_at: at })
          .where('run_id', '=', runId)
          .where('lesson_id', '=', lessonId)
          .where('settled_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 1n) settled.push(lessonId)
      }
      return settled
    },
    settledIn: async ({ lessonId, stratum, limit }) => {
      const rows = await db
        .selectFrom('lesson_uses')
        .select('run_id')
        .where('lesson_id', '=', lessonId)
        .where('stratum', '=', storableText(stratum))
        .where('settled_at', 'is not', null)
        .orderBy('settled_at', 'desc')
        .orderBy('run_id')
        .limit(limit)
        .execute()
      return rows.map(({ run_id }) => run_id)
    },
    countsOf: (lessonIds) => countsOf(db, lessonIds),
  }
}

async function add(db: Sql<LessonUseTables>, uses: readonly NewUse[]): Promise<void> {
  if (uses.length === 0) return
  await db
    .insertInto('lesson_uses')
    .values(
      uses.map((use) => ({
        lesson_id: use.lessonId,
        run_id: use.runId,
        stratum: storableText(use.stratum),
        nth: use.nth,
        given: use.given,
        why: use.why === null ? null : storableText(use.why),
        attempt: use.attempt,
        drawn: use.drawn,
        outcome: null,
        usd: null,
        at: use.at,
        settled_at: null,
      })),
    )
    .onConflict((on) =>
      on
        .columns(['lesson_id', 'run_id'])
        .doUpdateSet((row) => ({
          stratum: row.ref('excluded.stratum'),
          nth: row.ref('excluded.nth'),
          given: row.ref('excluded.given'),
          why: row.ref('excluded.why'),
          attempt: row.ref('excluded.attempt'),
          drawn: row.ref('excluded.drawn'),
          at: row.ref('excluded.at'),
        }))
        .where('lesson_uses.given', '=', 'left_out')
        .where('lesson_uses.settled_at', 'is', null),
    )
    .execute()
}

async function countsOf(
  db: Sql<LessonUseTables>,
  lessonIds: readonly string[],
): Promise<ReadonlyMap<string, UseCounts>> {
  const none = { good: 0, bad: 0, usd: 0 }
  const counts = new Map<string, UseCounts>(
    lessonIds.map((id) => [id, { shown: none, withheld: none, leftOut: 0, used: 0 }]),
  )
  if (lessonIds.length === 0) return counts
  const rows = await db
    .selectFrom('lesson_uses')
    .select([
      'lesson_id',
      'given',
      sql<string>`count(*) filter (where drawn and outcome = 'good')`.as('good'),
      sql<string>`count(*) filter (where drawn and outcome = 'bad')`.as('bad'),
      sql<number>`coalesce(sum(usd) filter (where drawn and outcome is not null), 0)`.as('usd'),
      sql<string>`count(*)`.as('all'),
    ])
    .where('lesson_id', 'in', [...lessonIds])
    .groupBy(['lesson_id', 'given'])
    .execute()
  for (const { lesson_id, given, good, bad, usd, all } of rows) {
    const known = counts.get(lesson_id)
    if (known === undefined) continue
    const tally = { good: Number(good), bad: Number(bad), usd: Number(usd) }
    if (given === 'shown') counts.set(lesson_id, { ...known, shown: tally, used: Number(all) })
    else if (given === 'withheld') counts.set(lesson_id, { ...known, withheld: tally })
    else counts.set(lesson_id, { ...known, leftOut: Number(all) })
  }
  return counts
}

function toUse(row: Row<LessonUseTables['lesson_uses']>): LessonUse {
  return {
    lessonId: row.lesson_id,
    runId: row.run_id,
    stratum: row.stratum,
    nth: row.nth,
    given: row.given as LessonUse['given'],
    why: row.why,
    attempt: row.attempt,
    drawn: row.drawn,
    outcome: row.outcome as LessonUse['outcome'],
    usd: row.usd,
    at: row.at,
    settledAt: row.settled_at,
  }
}
