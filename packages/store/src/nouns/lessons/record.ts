// Recording a lesson: counted if it is known, left out or put in the place of one that says the same.
import { randomUUID } from 'node:crypto'
import {
  freshLesson,
  type Lesson,
  LessonVerdict,
  type NewLesson,
  type Recorded,
  SEEN_IN_MAX,
} from '@treadle/contracts/lesson'
import { decideRecord, type Kin, tellingWords } from '@treadle/memory/likeness'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Sql } from '../../driver/database.ts'
import type { LessonTables } from './rows.ts'
import {
  fingerprintOf,
  hasSignature,
  hasWords,
  lockLessons,
  nextRevision,
  settled,
  toLesson,
  toRow,
} from './rows.ts'
import type { LessonUseTables } from './uses.ts'

/** The confidence of a lesson that is seen again, which is no accident. */
const SEEN_TWICE = 0.85
/** The surest lessons that share a telling word; so many are compared. */
const KIN_MAX = 5_000
/** A chain of superseded lessons is followed so far. */
const CHAIN_MAX = 50

export async function recordLesson(
  database: Database<LessonTables & LessonUseTables>,
  given: NewLesson,
  at: Date,
): Promise<Recorded> {
  return database.tx(async () => {
    const { sql: db } = database
    await lockLessons(db)
    const lesson = settled(given)
    const same = await byFingerprint(db, lesson)
    if (same !== null) return countSame(db, same, { lesson, at })
    const choice = decideRecord(lesson, await kinOf(db, lesson))
    if (choice.is === 'count')
      return { is: 'known_better', lesson: await count(db, choice.id, { lesson, at, raise: false }) }
    const made = freshLesson(lesson, randomUUID(), at)
    if (choice.is === 'record') return { is: 'recorded', lesson: await insert(db, made) }
    return replace(db, choice.id, made)
  })
}

async function byFingerprint(db: Sql<LessonTables>, lesson: NewLesson): Promise<Lesson | null> {
  const row = await db
    .selectFrom('lessons')
    .selectAll()
    .where('fingerprint', '=', fingerprintOf(lesson))
    .executeTakeFirst()
  return row === undefined ? null : toLesson(row)
}

/** Where another has taken its place, that one is counted; where nothing has, it stays superseded. */
async function countSame(
  db: Sql<LessonTables>,
  same: Lesson,
  seen: { lesson: NewLesson; at: Date },
): Promise<Recorded> {
  let successor = same
  for (let steps = 0; successor.supersededBy !== null && steps < CHAIN_MAX; steps += 1) {
    const next = await findLesson(db, successor.supersededBy)
    if (next === null) break
    successor = next
  }
  const counted = await count(db, successor.id, { ...seen, raise: successor.id === same.id })
  return { is: successor.id === same.id ? 'seen_again' : 'known_better', lesson: counted }
}

export async function findLesson(db: Sql<LessonTables>, id: string): Promise<Lesson | null> {
  const row = await db.selectFrom('lessons').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toLesson(row)
}

/** Once it was weighed by use, to meet the trap again does not make the advice better. */
async function count(
  db: Sql<LessonTables>,
  id: string,
  { lesson, at, raise }: { lesson: NewLesson; at: Date; raise: boolean },
): Promise<Lesson> {
  const said = raise ? lesson.confidence : 0
  const place = lesson.seenAt ?? null
  const row = await db
    .updateTable('lessons')
    .set({
      occurrences: sql`occurrences + 1`,
      confidence: sql`case when weighed then confidence
        else greatest(confidence, ${said}::double precision,
          case when occurrences = 1 and content <> '' then ${SEEN_TWICE}::double precision else 0 end) end`,
      seen_in: sql`case when ${place}::text is null or seen_in ? ${place}::text
        or jsonb_array_length(seen_in) >= ${SEEN_IN_MAX} then seen_in
        else seen_in || to_jsonb(${place}::text) end`,
      // Confirmed by whoever is no model, or by another item: what one run says twice is said once.
      unconfirmed: sql`unconfirmed and ${lesson.unconfirmed}
        and (${place}::text is null or jsonb_array_length(seen_in) = 0 or seen_in ? ${place}::text)`,
      updated_at: at,
      revision: nextRevision,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toLesson(row)
}

async function insert(db: Sql<LessonTables>, lesson: Lesson): Promise<Lesson> {
  const row = await db
    .insertInto('lessons')
    .values({ ...toRow(lesson), revision: nextRevision })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toLesson(row)
}

async function replace(db: Sql<LessonTables & LessonUseTables>, id: string, made: Lesson): Promise<Recorded> {
  const weaker = await findLesson(db, id)
  if (weaker === null) return { is: 'recorded', lesson: await insert(db, made) }
  const seenIn = [...new Set([...weaker.seenIn, ...made.seenIn])].slice(0, SEEN_IN_MAX)
  // A run that finds better words for what it found itself is no second witness.
  const witnesses = isOfOneRun(weaker, made) ? 0 : 1
  const occurrences = weaker.occurrences + witnesses
  const confidence = Math.max(made.confidence, weaker.occurrences === 1 && witnesses === 1 ? SEEN_TWICE : 0)
  // Other words for the same are no new trial.
  const { verdict, looks } = weaker
  const unconfirmed = made.unconfirmed && (witnesses === 0 || seenIn.length < 2)
  const counted = { occurrences, seenIn, confidence, verdict, looks, unconfirmed }
  const lesson = await insert(db, { ...made, ...counted })
  await db.updateTable('lesson_uses').set({ lesson_id: lesson.id }).where('lesson_id', '=', id).execute()
  const old = await markSuperseded(db, id, {
    by: lesson.id,
    why: 'a better lesson says the same',
    at: new Date(made.createdAt),
  })
  return { is: 'superseding', lesson, old }
}

function isOfOneRun({ provenance: one }: Lesson, { provenance: other }: Lesson): boolean {
  return one.runId !== null && one.runId === other.runId
}

export async function markSuperseded(
  db: Sql<LessonTables>,
  id: string,
  { by, why, at }: { by: string | null; why: string; at: Date },
): Promise<Lesson> {
  const row = await db
    .updateTable('lessons')
    .set({ superseded_by: by, superseded_at: at, why, updated_at: at, revision: nextRevision })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toLesson(row)
}

/** Lessons that may say the same: none that does is missing, see `tellingWords`. */
async function kinOf(db: Sql<LessonTables>, { type, content, signature }: NewLesson): Promise<Kin[]> {
  if (content === '') return []
  const asked = tellingWords(content).map((word) => `'${word}':*`)
  const worded =
    asked.length === 0
      ? []
      : await kinWhere(db, type, hasWords(sql`to_tsquery('simple', ${asked.join(' | ')})`))
  // Asked for by itself: with an "or" between them, neither index would be used.
  const signed = signature === null ? [] : await kinWhere(db, type, hasSignature(signature))
  return [...new Map([...worded, ...signed].map((kin) => [kin.id, kin])).values()]
}

async function kinWhere(db: Sql<LessonTables>, type: Kin['type'], is: RawBuilder<boolean>): Promise<Kin[]> {
  const rows = await db
    .selectFrom('lessons')
    .select([
      'id',
      'content',
      'glob',
      'action',
      'signature',
      'confidence',
      'verdict',
      'weighed',
      'unconfirmed',
    ])
    .where('type', '=', type)
    .where('superseded_at', 'is', null)
    .where('content', '<>', '')
    .where(is)
    .orderBy('confidence', 'desc')
    .orderBy('id')
    .limit(KIN_MAX)
    .execute()
  return rows.map((row) => ({ ...row, type, verdict: LessonVerdict.parse(row.verdict) }))
}
