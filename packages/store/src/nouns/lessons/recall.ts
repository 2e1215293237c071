// Which lessons fit a question, the best first.
import { type Lesson, type LessonQuery, leastConfidence } from '@treadle/contracts/lesson'
import { compileFit, type FitOf, readPath } from '@treadle/memory/fit'
import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../../driver/database.ts'
import { storableText } from '../../driver/storable.ts'
import type { LessonTables } from './rows.ts'
import { hasSignature, hasWords, toLesson } from './rows.ts'

/** Writes that are read again: what a transaction saw of its own may have been taken back since. */
const OVERLAP = 100

/** The globs of all lessons, compiled; what was written since is read before each answer. */
export class KnownGlobs {
  readonly #db: Sql<LessonTables>
  #revision = -1
  readonly #globs = new Map<string, FitOf>()

  constructor(db: Sql<LessonTables>) {
    this.#db = db
  }

  /** Globs that are about the file, by how well they fit. */
  async fitting(path: string): Promise<[glob: string, fit: number][]> {
    await this.#refresh()
    const asked = readPath(path)
    return [...this.#globs].flatMap(([glob, fitOf]): [string, number][] => {
      const fit = fitOf(asked)
      return fit === null ? [] : [[glob, fit]]
    })
  }

  async #refresh(): Promise<void> {
    const { rows } = await sql<{ revision: number }>`
      select coalesce(max(revision), 0) as revision from lessons`.execute(this.#db)
    const revision = rows[0]?.revision ?? 0
    if (revision === this.#revision && this.#globs.size > 0) return
    const found = await this.#db
      .selectFrom('lessons')
      .select('glob')
      .distinct()
      .where('glob', 'is not', null)
      .where('revision', '>=', Math.min(revision, this.#revision) - OVERLAP)
      .execute()
    for (const { glob } of found)
      if (glob !== null && !this.#globs.has(glob)) this.#globs.set(glob, compileFit(glob))
    this.#revision = revision
  }
}

/**
 * A lesson without action, topic or glob is about any; one that names what was asked for comes first.
 * A signature is asked for only by who wants the answer to that very error.
 */
export async function recallLessons(
  db: Sql<LessonTables>,
  globs: KnownGlobs,
  query: LessonQuery,
): Promise<Lesson[]> {
  const { type, path, action, signature, text } = query
  const topics = [...(query.topics ?? []), ...(query.topic === undefined ? [] : [query.topic])]
  let rows = db
    .selectFrom('lessons')
    .selectAll()
    .where('superseded_at', 'is', null)
    .where('verdict', '<>', 'retired')
    .where('confidence', '>=', leastConfidence(query))
  if (query.unconfirmed !== 'included') rows = rows.where('unconfirmed', '=', false)
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (signature !== undefined) rows = rows.where(hasSignature(storableText(signature)))
  if (action !== undefined)
    rows = rows.where((on) => on.or([on('action', 'is', null), on('action', '=', storableText(action))]))
  if (topics.length > 0)
    rows = rows.where((on) => on.or([on('topic', 'is', null), on('topic', 'in', topics.map(storableText))]))
  const fitting = path === undefined ? [] : await globs.fitting(storableText(path))
  if (path !== undefined) rows = rows.where(isAbout(fitting))
  if (text !== undefined) rows = rows.where(hasWords(asked(text)))
  const found = await rows
    .orderBy(fitRank(fitting), 'desc')
    .orderBy(nameRank(action, topics), 'desc')
    .orderBy(sql`case verdict when 'promoted' then 0 when 'on_trial' then 1 else 2 end`)
    .orderBy('confidence', 'desc')
    .orderBy('occurrences', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(query.limit)
    .execute()
  return found.map(toLesson)
}

export function isAbout(fitting: readonly [glob: string, fit: number][]): RawBuilder<boolean> {
  return sql`(glob is null or glob = any(${fitting.map(([glob]) => glob)}::text[]))`
}

/** As people type it: quotes keep words together, a minus excludes. */
export function asked(text: string): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('simple', ${storableText(text)})`
}

export function fitRank(fitting: readonly [glob: string, fit: number][]): RawBuilder<number> {
  const tiers = [3, 2, 1].map((tier) => {
    const globs = fitting.filter(([, fit]) => fit === tier).map(([glob]) => glob)
    return sql`when glob = any(${globs}::text[]) then ${sql.lit(tier)}`
  })
  return fitting.length === 0 ? sql`0::integer` : sql`case ${sql.join(tiers, sql` `)} else 0 end`
}

function nameRank(action: string | undefined, topics: readonly string[]): RawBuilder<number> {
  return sql`coalesce((action = ${action === undefined ? null : storableText(action)}::text)::integer, 0)
    + coalesce((topic = any(${topics.map(storableText)}::text[]))::integer, 0)`
}
