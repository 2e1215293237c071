import { TargetComplexity } from '@treadle/contracts/specification'
import type { SpecWriting, SpecWritings } from '@treadle/flow/ports/spec-writings'
import { z } from 'zod'
import type { Database } from '../driver/database.ts'
import { storableJson } from '../driver/storable.ts'
import { instant, json, type Row, text, uuid } from '../driver/tables.ts'
import { migration039 } from '../migrations/039-spec-writings.ts'
import type { StoreModule, StoreParts } from './module.ts'

const tables = {
  spec_writings: {
    slug: text,
    workspace: text,
    thought: uuid,
    body: json,
    asked_at: instant,
  },
} as const
type Tables = typeof tables

export const specWritings = {
  name: 'specWritings',
  tables,
  migrations: [migration039],
  create: ({ database }: StoreParts<Tables>) => createSpecWritings(database),
} as const satisfies StoreModule

const Body = z.strictObject({
  first: z.uuid(),
  refused: z.int().min(0),
  userSlug: z.string().nullable(),
  complexity: TargetComplexity.nullable(),
  requests: z.array(z.strictObject({ by: z.string(), text: z.string() })),
  why: z.string().nullable(),
})

function createSpecWritings({ sql: db }: Database<Tables>): SpecWritings {
  const one = (slug: string) => db.selectFrom('spec_writings').selectAll().where('slug', '=', slug)
  return {
    find: async (slug) => first(await one(slug).execute()),
    lock: async (slug) => first(await one(slug).forUpdate().execute()),
    put: async (writing, at) => {
      const row = rowOf(writing, at)
      await db
        .insertInto('spec_writings')
        .values(row)
        .onConflict((on) => on.column('slug').doUpdateSet(row))
        .execute()
    },
    remove: async (slug, thought) => {
      const { numDeletedRows } = await db
        .deleteFrom('spec_writings')
        .where('slug', '=', slug)
        .where('thought', '=', thought)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    list: async (workspace, limit) => {
      let query = db.selectFrom('spec_writings').selectAll().orderBy('asked_at').limit(limit)
      if (workspace !== null) query = query.where('workspace', '=', workspace)
      return (await query.execute()).map(toWriting)
    },
  }
}

function rowOf({ slug, workspace, thought, ...body }: SpecWriting, at: Date) {
  return { slug, workspace, thought, body: storableJson(body), asked_at: at }
}

type WritingRow = Row<Tables['spec_writings']>

function first(rows: readonly WritingRow[]): SpecWriting | null {
  const [row] = rows
  return row === undefined ? null : toWriting(row)
}

function toWriting({ slug, workspace, thought, body }: WritingRow): SpecWriting {
  return { slug, workspace, thought, ...Body.parse(body) }
}
