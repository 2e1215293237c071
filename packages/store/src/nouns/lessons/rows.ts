// Lessons as rows.
import { createHash } from 'node:crypto'
import { Lesson, type NewLesson } from '@treadle/contracts/lesson'
import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { storableJson, storableText } from '../../driver/storable.ts'
import {
  filled,
  flag,
  instant,
  integer,
  json,
  nullable,
  type Row,
  real,
  text,
  uuid,
} from '../../driver/tables.ts'

export const lessonTables = {
  lessons: {
    id: uuid,
    fingerprint: text,
    type: text,
    glob: nullable(text),
    action: nullable(text),
    topic: nullable(text),
    signature: nullable(text),
    confidence: real,
    provenance: json,
    payload: json,
    occurrences: integer,
    superseded_by: nullable(uuid),
    created_at: instant,
    updated_at: instant,
    content: filled(text),
    discovered_by: filled(text),
    seen_in: filled(json),
    verdict: filled(text),
    looks: filled(integer),
    superseded_at: nullable(instant),
    why: nullable(text),
    /** Rises with every write to any lesson. */
    revision: filled(integer),
    weighed: filled(flag),
    unconfirmed: filled(flag),
  },
} as const
export type LessonTables = typeof lessonTables

/** The text that is searched for words; an index is made of this very expression. */
const WORDS = sql`to_tsvector('simple'::regconfig,
  regexp_replace(content || ' ' || coalesce(topic, '') || ' ' || coalesce(signature, ''),
    '[^[:alnum:]]+', ' ', 'g'))`

export function hasWords(asked: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`${WORDS} @@ ${asked}`
}

/** An index holds the sums: a signature may be longer than an entry of one. */
export function hasSignature(signature: string): RawBuilder<boolean> {
  return sql`(md5(signature) = md5(${signature}::text) and signature = ${signature}::text)`
}

const CONTENT_MAX = 4_000

/**
 * Held until the transaction ends: writers come one after the other, so that revisions rise in the order of commits.
 * Draws are locked first, as they are where a run is settled: what takes a lesson's place takes over its uses.
 */
export async function lockLessons(db: Sql<LessonTables>): Promise<void> {
  for (const what of ['treadle lesson draws ', 'treadle lessons '])
    await sql`select pg_advisory_xact_lock(hashtext(${what}::text || current_schema()))`.execute(db)
}

/** Under the lock. */
export const nextRevision = sql<number>`(select coalesce(max(revision), 0) + 1 from lessons)`

export function toRow(lesson: Lesson) {
  return {
    id: lesson.id,
    fingerprint: fingerprintOf(lesson),
    type: lesson.type,
    content: storableText(lesson.content),
    glob: storableOrNull(lesson.glob),
    action: storableOrNull(lesson.action),
    topic: storableOrNull(lesson.topic),
    signature: storableOrNull(lesson.signature),
    confidence: lesson.confidence,
    discovered_by: storableText(lesson.discoveredBy),
    provenance: storableJson(lesson.provenance),
    payload: storableJson(lesson.payload),
    occurrences: lesson.occurrences,
    seen_in: storableJson(lesson.seenIn),
    verdict: lesson.verdict,
    looks: lesson.looks,
    weighed: lesson.weighed,
    unconfirmed: lesson.unconfirmed,
    superseded_by: lesson.supersededBy,
    superseded_at: supersededAt(lesson),
    why: storableOrNull(lesson.why),
    created_at: new Date(lesson.createdAt),
    updated_at: new Date(lesson.updatedAt),
  }
}

/** Files of an older export, or written by hand, say only by what. */
function supersededAt({ supersededAt: at, supersededBy, updatedAt }: Lesson): Date | null {
  if (at !== null) return new Date(at)
  return supersededBy === null ? null : new Date(updatedAt)
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text)
}

/** As it is read back; what it says is its summary where nobody put it into a sentence. */
export function settled(lesson: NewLesson): NewLesson {
  const content = storableText(lesson.content || summaryIn(lesson.payload))
  return { ...lesson, content, signature: storableOrNull(lesson.signature) }
}

/**
 * What makes two lessons the same one; provenance and confidence do not. Details of a run are in the payload, so a
 * lesson with words of its own is the same whatever they are.
 */
export function fingerprintOf(lesson: NewLesson | Lesson): string {
  const { type, glob, action, topic, signature, payload, content } = lesson
  const said = content === '' || content === payload.summary ? sorted(payload) : { content }
  return createHash('sha256')
    .update(storableJson([type, glob, action, topic, signature, said]))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) }
}

/** Rows that were copied from an older database say it only there. */
function summaryIn(payload: unknown): string {
  const summary = (payload as { summary?: unknown } | null)?.summary
  return typeof summary === 'string' ? summary.slice(0, CONTENT_MAX).toWellFormed() : ''
}

export function toLesson(row: Row<LessonTables['lessons']>): Lesson {
  return Lesson.parse({
    id: row.id,
    type: row.type,
    content: row.content || summaryIn(row.payload),
    glob: row.glob,
    action: row.action,
    topic: row.topic,
    signature: row.signature,
    confidence: row.confidence,
    discoveredBy: row.discovered_by,
    provenance: row.provenance,
    payload: row.payload,
    occurrences: row.occurrences,
    seenIn: row.seen_in,
    verdict: row.verdict,
    looks: row.looks,
    weighed: row.weighed,
    unconfirmed: row.unconfirmed,
    supersededBy: row.superseded_by,
    supersededAt: row.superseded_at?.toISOString() ?? null,
    why: row.why,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } satisfies Record<keyof Lesson, unknown>)
}
