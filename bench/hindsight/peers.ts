// The ways to look for a lesson that are compared; all of them see the same lessons.
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { MatchIndex } from '@treadle/memory/match'
import { type Case, signatureIn } from './cases.ts'

/** Ids of what was found, the best first. */
export type Search = (text: string, limit: number) => Promise<readonly string[]>

export interface Searches {
  readonly byName: ReadonlyMap<string, Search>
  close(): Promise<void>
}

export const OURS = 'ours'

export function ourSearch(lessons: readonly Case[]): Search {
  const candidates = lessons.map(({ id, recorded }) => ({
    id,
    signature: signatureIn(recorded),
    confidence: 0.7,
    occurrences: 1,
  }))
  const index = new MatchIndex(candidates)
  return async (text, limit) => index.find(signatureIn(text), { limit }).map(({ candidate }) => candidate.id)
}

/** PostgreSQL looks at the texts as they were printed, and once more at our signatures of them. */
export async function openSearches(lessons: readonly Case[]): Promise<Searches> {
  const db = new PGlite({ extensions: { pg_trgm } })
  await db.exec(`create extension pg_trgm;
    create table lessons (
      id text primary key, printed text not null, signature text not null,
      printed_words tsvector generated always as (to_tsvector('english', printed)) stored,
      signature_words tsvector generated always as (to_tsvector('english', signature)) stored
    )`)
  for (const { id, recorded } of lessons) {
    const row = [id, recorded.replaceAll('\0', ''), signatureIn(recorded)]
    await db.query('insert into lessons (id, printed, signature) values ($1, $2, $3)', row)
  }
  const ask = async (sql: string, text: string, limit: number) => {
    const { rows } = await db.query<{ id: string }>(sql, [text.replaceAll('\0', ''), limit])
    return rows.map(({ id }) => id)
  }
  const printed =
    (sql: string): Search =>
    (text, limit) =>
      ask(sql, text, limit)
  const signed =
    (sql: string): Search =>
    (text, limit) =>
      ask(sql, signatureIn(text), limit)
  return {
    byName: new Map([
      [OURS, ourSearch(lessons)],
      ['full text, as printed', printed(fullText('printed'))],
      ['full text, signature', signed(fullText('signature'))],
      ['pg_trgm, as printed', printed(trigrams('printed'))],
      ['pg_trgm, signature', signed(trigrams('signature'))],
      ['exact signature', signed('select id from lessons where signature = $1 order by id limit $2')],
    ]),
    close: () => db.close(),
  }
}

type Column = 'printed' | 'signature'

/** Any of the words will do: with all of them required, next to nothing is ever found. */
function fullText(column: Column): string {
  return `with asked as (
      select replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery as query
    )
    select id from lessons, asked
    where ${column}_words @@ query
    order by ts_rank(${column}_words, query) desc, id limit $2`
}

function trigrams(column: Column): string {
  return `select id from (select id, similarity(${column}, $1) as alike from lessons) as compared
    where alike > 0 order by alike desc, id limit $2`
}
