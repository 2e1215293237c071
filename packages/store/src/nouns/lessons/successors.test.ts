// What takes the place of a lesson, and what a lesson of an older database is worth.
import { LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { TextRow } from '../../driver/transfer.ts'
import { migrate } from '../../migrations/migrate.ts'
import { MODULES } from '../../modules.ts'
import { DRIVERS, openAt, type TestDatabase, useStore, useTestDatabases } from '../../testing/both-drivers.ts'
import { withPool } from '../../testing/pool.ts'
import { migrationsOf } from '../module.ts'
import { fingerprintOf } from './rows.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-01-03T03:04:05.678Z')
const gotcha = (given: Partial<NewLesson>) => NewLesson.parse({ type: 'gotcha', ...given })

describe.each(DRIVERS)('lessons that follow on others, on the %s database', (driver) => {
  const open = useStore(driver)
  const places = useTestDatabases(driver)

  test('a look of the trial that only goes on does not keep it from being surer when seen twice', async (context) => {
    const { lessons } = await open(context)
    const lesson = gotcha({ content: 'the pager is silent on Sunday nights' })
    const { id } = (await lessons.record(lesson, at)).lesson
    await lessons.reconsider(id, { looks: 1, why: 'not certain yet' }, later)
    expect((await lessons.record(lesson, later)).lesson).toMatchObject({ confidence: 0.85, looks: 1 })
  })

  test('other words for a lesson are no new trial', async (context) => {
    const { lessons, lessonUses } = await open(context)
    const promoted = gotcha({ content: 'pin the docker image of postgres by digest' })
    const { id } = (await lessons.record(promoted, at)).lesson
    await lessons.reconsider(id, { verdict: 'promoted', looks: 2, why: 'it helps' }, at)
    const runId = crypto.randomUUID()
    const use = { lessonId: id, runId, stratum: 's', nth: 1, given: 'shown', why: null } as const
    await lessonUses.add([{ ...use, attempt: 1, drawn: true, at }])
    const reworded = gotcha({ content: 'pin the postgres docker image by its digest', confidence: 0.75 })
    const heir = await lessons.record(reworded, later)
    expect(heir).toMatchObject({ is: 'superseding', lesson: { verdict: 'promoted', looks: 2 } })
    await lessonUses.settle(runId, [{ lessonId: heir.lesson.id, outcome: 'good', usd: 1 }], later)
    const counts = await lessonUses.countsOf([id, heir.lesson.id])
    expect(counts.get(heir.lesson.id)).toMatchObject({ shown: { good: 1 } })
    expect(await lessonUses.ofRun(runId)).toMatchObject([{ lessonId: heir.lesson.id }])

    const retired = gotcha({ content: 'always run the linter twice before committing' })
    const gone = (await lessons.record(retired, at)).lesson
    await lessons.reconsider(gone.id, { verdict: 'retired', looks: 1, why: 'it does not help' }, at)
    const reborn = gotcha({ content: 'always run the linter twice before a commit', confidence: 0.95 })
    expect(await lessons.record(reborn, later)).toMatchObject({
      is: 'known_better',
      lesson: { id: gone.id, verdict: 'retired', occurrences: 2 },
    })
    expect(await lessons.recall(LessonQuery.parse({ text: 'linter twice' }))).toEqual([])
  })

  test('the way out of a trap takes the place of the warning alone', async (context) => {
    const { lessons } = await open(context)
    const trap = gotcha({ content: 'Avoid: x is no function', signature: 'TypeError: x is no function' })
    await lessons.record(trap, at)
    const remedied = { ...trap, content: `${trap.content} What helped: import it from lib/x` }
    expect((await lessons.record(remedied, at)).is).toBe('superseding')
    expect((await lessons.record(trap, at)).is).toBe('known_better')
    const found = await lessons.recall(LessonQuery.parse({ signature: trap.signature ?? '' }))
    expect(found.map(({ content }) => content)).toEqual([remedied.content])
  })

  test('a run that tells the way out later is no second witness', async (context) => {
    const { lessons } = await open(context)
    const provenance = { runId: crypto.randomUUID(), attempt: 1, commit: null }
    const trap = gotcha({ content: 'Avoid: y is no function', signature: 'TypeError: y', provenance })
    await lessons.record(trap, at)
    const remedied = { ...trap, content: `${trap.content} What helped: import y` }
    expect(await lessons.record(remedied, at)).toMatchObject({
      is: 'superseding',
      lesson: { occurrences: 1, confidence: 0.7 },
    })
  })

  test('globs are known as soon as they are written, also where others were taken back', async (context) => {
    const { lessons, tx } = await open(context)
    const about = async (path: string) =>
      (await lessons.recall(LessonQuery.parse({ path, topic: 'globs' }))).filter(({ glob }) => glob !== null)
    const of = (glob: string) => gotcha({ content: `about ${glob}`, glob, topic: 'globs' })
    const undone = tx(async () => {
      for (const glob of ['undone/1/*', 'undone/2/*', 'undone/3/*']) await lessons.record(of(glob), at)
      expect(await about('undone/3/a.ts')).toHaveLength(1)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await about('undone/3/a.ts')).toEqual([])
    for (const glob of ['done/1/*', 'done/2/*', 'done/3/*', 'done/4/*']) {
      await lessons.record(of(glob), at)
      expect(await about(glob.replace('*', 'a.ts')), glob).toHaveLength(1)
    }
  })

  test('an error as long as it may be is kept and found', async (context) => {
    const { lessons } = await open(context)
    // Of letters that no compression makes short.
    const letters = Array.from({ length: 2_000 }, (_, nth) => 0x4e00 + ((nth * nth * 7_919) % 20_000))
    const signature = String.fromCodePoint(...letters)
    const made = (await lessons.record(gotcha({ content: 'an error without end', signature }), at)).lesson
    expect(await lessons.recall(LessonQuery.parse({ signature }))).toEqual([made])
  })

  test('lessons of a database from before they had words are brought up to date', async (context) => {
    const place = places(context)
    await (await openAt(place)).close()
    const rows = await olderLessons(place)
    const store = await openAt(place)
    expect(await store.lessons.find(rows.old)).toMatchObject({
      content: 'mind the older gap',
      supersededBy: rows.heir,
      supersededAt: at.toISOString(),
    })
    expect(await store.lessons.find(rows.heir)).toMatchObject({
      content: 'mind the gap at the platform',
      discoveredBy: 'treadle',
      seenIn: [],
      verdict: 'on_trial',
      looks: 0,
      weighed: false,
      supersededAt: null,
      why: null,
      occurrences: 3,
    })
    const asked = LessonQuery.parse({ text: 'gap' })
    expect((await store.lessons.recall(asked)).map(({ id }) => id)).toEqual([rows.heir])
    // The same one met again is known, though it was kept before it had a sentence.
    expect(await store.lessons.record(gotcha({ payload: { summary: SUCCESSOR } }), later)).toMatchObject({
      is: 'seen_again',
      lesson: { id: rows.heir, occurrences: 4 },
    })
    await store.close()
  })

  test('rows of an older export are as a database that was brought up to date has them', async (context) => {
    const store = await openAt(places(context))
    const [old, heir] = [crypto.randomUUID(), crypto.randomUUID()]
    const rows: TextRow[] = [olderRow(old, OLD, heir), olderRow(heir, SUCCESSOR, null)].map((row) => ({
      table: 'lessons',
      row,
    }))
    await store.receive(rows)
    const found = await store.lessons.recall(LessonQuery.parse({ text: 'gap' }))
    expect(found.map(({ id, content }) => [id, content])).toEqual([[heir, SUCCESSOR]])
    expect(await store.lessons.find(old)).toMatchObject({ content: OLD, supersededAt: at.toISOString() })
    await store.close()
  })
})

const OLD = 'mind the older gap'
const SUCCESSOR = 'mind the gap at the platform'

/** As PostgreSQL prints a row of the first lessons. */
function olderRow(id: string, summary: string, by: string | null): Readonly<Record<string, string | null>> {
  return {
    id,
    fingerprint: fingerprintOf(gotcha({ payload: { summary } })),
    type: 'gotcha',
    glob: null,
    action: null,
    topic: null,
    signature: null,
    confidence: '0.7',
    provenance: '{"runId": null, "attempt": null, "commit": null}',
    payload: JSON.stringify({ summary }),
    occurrences: '3',
    superseded_by: by,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  }
}

/** Tables as they were before the lessons had words, with two lessons in them. */
function olderLessons(place: TestDatabase): Promise<{ old: string; heir: string }> {
  const [old, heir] = [crypto.randomUUID(), crypto.randomUUID()]
  return withPool(place, async (pool) => {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    await sql`drop schema ${sql.id(place.schema)} cascade`.execute(db)
    await sql`create schema ${sql.id(place.schema)}`.execute(db)
    await migrate(db, { schema: place.schema, migrations: migrationsOf(MODULES), last: '008_goals' })
    for (const row of [olderRow(old, OLD, heir), olderRow(heir, SUCCESSOR, null)])
      await sql`insert into lessons (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(row))})`.execute(db)
    return { old, heir }
  })
}
