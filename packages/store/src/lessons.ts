import { createHash, randomUUID } from 'node:crypto'
import { matchesGlob } from 'node:path'
import { Lesson, type LessonQuery, type NewLesson } from '@treadle/contracts/lesson'
import type { Lessons } from '@treadle/flow/ports'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Row } from './schema.ts'
import { storableJson, storableText } from './storable.ts'

/** How many of the best-ranked rows are matched against a path. */
const CANDIDATES = 1_000

export function createLessons({ sql: db }: Database): Lessons {
  return {
    recall: async (query) => (await recall(db, query)).slice(0, query.limit),
    record: async (lesson, at) => {
      const row = await db
        .insertInto('lessons')
        .values({
          id: randomUUID(),
          fingerprint: fingerprintOf(lesson),
          type: lesson.type,
          glob: storableOrNull(lesson.glob),
          action: storableOrNull(lesson.action),
          topic: storableOrNull(lesson.topic),
          signature: storableOrNull(lesson.signature),
          confidence: lesson.confidence,
          provenance: storableJson(lesson.provenance),
          payload: storableJson(lesson.payload),
          occurrences: 1,
          superseded_by: null,
          created_at: at,
          updated_at: at,
        })
        .onConflict((on) =>
          on.column('fingerprint').doUpdateSet({
            occurrences: sql`lessons.occurrences + 1`,
            confidence: sql`greatest(lessons.confidence, excluded.confidence)`,
            updated_at: at,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toLesson(row)
    },
  }
}

/**
 * A lesson without action, topic or glob is about any; one that names what was asked for comes first.
 * A signature is asked for only by who wants the answer to that very error.
 */
async function recall(db: Database['sql'], query: LessonQuery): Promise<Lesson[]> {
  const { type, path, action, topic, signature, minConfidence } = query
  let rows = db
    .selectFrom('lessons')
    .selectAll()
    .where('superseded_by', 'is', null)
    .where('confidence', '>=', minConfidence)
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (signature !== undefined) rows = rows.where('signature', '=', storableText(signature))
  if (action !== undefined)
    rows = rows.where((on) => on.or([on('action', 'is', null), on('action', '=', action)]))
  if (topic !== undefined)
    rows = rows.where((on) => on.or([on('topic', 'is', null), on('topic', '=', topic)]))
  const found = await rows
    .orderBy(
      sql`coalesce((action = ${action ?? null}::text)::integer, 0)
        + coalesce((topic = ${topic ?? null}::text)::integer, 0)
        + coalesce((glob = ${path ?? null}::text)::integer, 0)`,
      'desc',
    )
    .orderBy('confidence', 'desc')
    .orderBy('occurrences', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(CANDIDATES)
    .execute()
  return found.map(toLesson).filter((lesson) => isAbout(lesson.glob, path))
}

function isAbout(glob: string | null, path: string | undefined): boolean {
  return path === undefined || glob === null || glob === path || matchesGlob(path, glob)
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text)
}

/** What makes two lessons the same one; provenance and confidence do not. */
function fingerprintOf({ type, glob, action, topic, signature, payload }: NewLesson): string {
  const identity = [type, glob, action, topic, signature, sorted(payload)]
  return createHash('sha256').update(storableJson(identity)).digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) }
}

function toLesson(row: Row<'lessons'>): Lesson {
  return Lesson.parse({
    id: row.id,
    type: row.type,
    glob: row.glob,
    action: row.action,
    topic: row.topic,
    signature: row.signature,
    confidence: row.confidence,
    provenance: row.provenance,
    payload: row.payload,
    occurrences: row.occurrences,
    supersededBy: row.superseded_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } satisfies Record<keyof Lesson, unknown>)
}
