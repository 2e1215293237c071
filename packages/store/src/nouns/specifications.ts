import { Specification, SpecTask } from '@treadle/contracts/specification'
import type { KeptSpecification, NumberRequest, Specifications } from '@treadle/flow/ports/specifications'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Sql } from '../driver/database.ts'
import { storableJson, storableText } from '../driver/storable.ts'
import { instant, integer, json, type Row, text } from '../driver/tables.ts'
import { migration036 } from '../migrations/036-specifications.ts'
import type { StoreModule, StoreParts } from './module.ts'
import { inWorkspace, type StoreWorkspace } from './workspace-scope.ts'

const tables = {
  specifications: {
    slug: text,
    revision: integer,
    status: text,
    body: json,
    spec_text: text,
    tasks_text: text,
    generated: json,
    noted: json,
    generated_at: instant,
    workspace: text,
  },
  migration_numbers: {
    folder: text,
    number: integer,
    spec: text,
    feature: text,
    allocated_at: instant,
    workspace: text,
  },
} as const
type Tables = typeof tables

export const specifications = {
  name: 'specifications',
  tables,
  migrations: [migration036],
  create: ({ database, workspace }: StoreParts<Tables>) => createSpecifications(database, workspace),
} as const satisfies StoreModule

function createSpecifications({ sql: db }: Database<Tables>, workspace: StoreWorkspace): Specifications {
  const own = inWorkspace(workspace)
  const all = () => db.selectFrom('specifications').selectAll().where(own)
  const latest = async (slug: string) => {
    const row = await all().where('slug', '=', slug).orderBy('revision', 'desc').limit(1).executeTakeFirst()
    return row === undefined ? null : toKept(row)
  }
  return {
    find: latest,
    lock: async (slug) => {
      // Of no row: the next revision, which nobody else may add meanwhile, is not there yet.
      const name = `specification ${workspace.id} ${slug}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
      return latest(slug)
    },
    revision: async (slug, revision) => {
      const row = await all().where('slug', '=', slug).where('revision', '=', revision).executeTakeFirst()
      return row === undefined ? null : toKept(row)
    },
    list: async (limit) => {
      const rows = await db
        .selectFrom('specifications')
        .select('body')
        .where(own)
        .where(
          sql<boolean>`revision = (select max(revision) from specifications s
            where s.slug = specifications.slug and ${own})`,
        )
        .orderBy('generated_at', 'desc')
        .orderBy('slug')
        .limit(limit)
        .execute()
      return rows.map(({ body }) => Specification.parse(body))
    },
    add: async (kept) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('specifications')
        .values({ ...rowOf(kept), workspace: workspace.id })
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    update: async (spec) => {
      await db
        .updateTable('specifications')
        .set({ status: spec.status, body: storableJson(spec) })
        .where(own)
        .where('slug', '=', spec.slug)
        .where('revision', '=', spec.revision)
        .execute()
    },
    allocate: (request, at) => allocate(db, workspace, request, at),
  }
}

/** Whoever asks for the same folder at the same moment waits until this transaction is over. */
async function allocate(
  db: Sql<Tables>,
  workspace: StoreWorkspace,
  request: NumberRequest,
  at: Date,
): Promise<number> {
  const { folder, spec, feature, taken } = request
  const place = storableText(folder)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`migrations ${place}`}, 0))`.execute(db)
  const own = await db
    .selectFrom('migration_numbers')
    .select('number')
    .where(inWorkspace(workspace))
    .where('folder', '=', place)
    .where('spec', '=', spec)
    .where('feature', '=', feature)
    .executeTakeFirst()
  if (own !== undefined) return own.number
  const { highest } = await db
    .selectFrom('migration_numbers')
    .select(({ fn }) => fn.max('number').as('highest'))
    .where('folder', '=', place)
    .executeTakeFirstOrThrow()
  const number = Math.max(taken, Number(highest ?? 0)) + 1
  await db
    .insertInto('migration_numbers')
    .values({ folder: place, number, spec, feature, allocated_at: at, workspace: workspace.id })
    .execute()
  return number
}

function rowOf({ spec, specText, tasksText, generated, noted }: KeptSpecification) {
  return {
    slug: spec.slug,
    revision: spec.revision,
    status: spec.status,
    body: storableJson(spec),
    spec_text: storableText(specText),
    tasks_text: storableText(tasksText),
    generated: storableJson(generated),
    noted: storableJson(noted),
    generated_at: new Date(spec.generatedAt),
  }
}

function toKept(row: Row<Tables['specifications']>): KeptSpecification {
  return {
    spec: Specification.parse(row.body),
    specText: row.spec_text,
    tasksText: row.tasks_text,
    generated: z.array(SpecTask).parse(row.generated),
    noted: z.array(z.string()).parse(row.noted),
  }
}
