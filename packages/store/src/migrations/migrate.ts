// Brings a database up to date. The steps stand one to a file beside this one; each is listed by the noun it serves.
import { createHash } from 'node:crypto'
import { Fault, messageOf } from '@treadle/flow/fault'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { DatabaseError } from 'pg'
import { quoted } from '../driver/channels.ts'
import type { Migration } from './migration.ts'

const SCHEMA_GONE_RETRIES = 5

export interface MigrateOptions {
  readonly schema: string
  /** In order. */
  readonly migrations: readonly Migration[]
  /** Tests stop at an older one. */
  readonly last?: string
}

/** The history of a schema: by name, and no name twice. */
export function inOrder(migrations: readonly Migration[]): Migration[] {
  const sorted = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))
  const twice = sorted.find(({ name }, index) => sorted[index + 1]?.name === name)
  if (twice !== undefined) throw new Error(`the migration ${twice.name} is listed twice`)
  return sorted
}

/** Names a history: two databases with the same one have the same tables. */
export function historyHash(migrations: readonly Migration[]): string {
  const texts = Object.fromEntries(migrations.map(({ name, sql: text }) => [name, text]))
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16)
}

/** Kysely's own locks make this safe when several daemons start at once. */
export async function migrate<T>(db: Kysely<T>, options: MigrateOptions): Promise<void> {
  if (!(await isCurrent(db, options))) await migrateUpTo(db, options)
}

/** Spares a start the many questions that Kysely asks before it finds nothing to do. */
async function isCurrent<T>(db: Kysely<T>, { schema, migrations }: MigrateOptions): Promise<boolean> {
  const log = sql.id(schema, 'kysely_migration')
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${`${quoted(schema)}.kysely_migration`}) is not null as there`.execute(db)
  if (rows[0]?.there !== true) return false
  const done = await sql<{ name: string }>`select name from ${log} order by name`.execute(db)
  return done.rows.map(({ name }) => name).join() === migrations.map(({ name }) => name).join()
}

async function migrateUpTo<T>(db: Kysely<T>, { schema, migrations, last }: MigrateOptions): Promise<void> {
  const steps = Object.fromEntries(
    migrations.map(({ name, sql: text }) => [name, { up: (on: Kysely<unknown>) => runAll(on, text) }]),
  )
  const migrator = new Migrator({
    db,
    migrationTableSchema: schema,
    provider: { getMigrations: () => Promise.resolve(steps) },
  })
  const run = () => (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  let { error } = await run()
  // Kysely looks at all schemas of the server, and somebody else's may go away meanwhile.
  for (let again = 0; again < SCHEMA_GONE_RETRIES && isSchemaGone(error); again += 1)
    ({ error } = await run())
  if (error !== undefined)
    throw new Fault('store_migration', `the database could not be brought up to date: ${messageOf(error)}`, {
      hint: 'The database may be of a newer Treadle, or the role may not create tables in it.',
      cause: error,
    })
}

/** A schema, a table, a column or an entry of the catalogue that was there when Kysely began to look. */
const GONE: ReadonlySet<string | undefined> = new Set(['3F000', '42P01', '42703', 'XX000'])

function isSchemaGone(error: unknown): boolean {
  return error instanceof DatabaseError && GONE.has(error.code)
}

async function runAll(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(';\n')) if (statement.trim() !== '') await sql.raw(statement).execute(db)
}
