// The data as text, independent of the version of the database: to a file, from a file, to another database.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Fault } from '@treadle/flow/fault'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { quoted } from './channels.ts'
import { moveFile } from './files.ts'
import type { Column, Tables } from './tables.ts'

/** Values as PostgreSQL prints them: JSON numbers would lose digits. */
export interface TextRow {
  readonly table: string
  readonly row: Readonly<Record<string, string | null>>
}

/** A plan of what is copied, and what has to be seen to where it comes in. */
export interface TransferPlan {
  /** Parents first, so that a copy satisfies whatever refers to them. */
  readonly tables: Tables
  /** Names, in order. */
  readonly migrations: readonly string[]
  /** Tables in which a row says that the database is in use. */
  readonly mustBeEmpty: readonly string[]
  /** Statements before the first row and after the last. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const Head = z.object({
  treadle: z.literal('export'),
  version: z.literal(1),
  migrations: z.array(z.string()),
})
const Line = z.union([
  z.object({ table: z.string(), row: z.record(z.string(), z.string().nullable()) }),
  z.object({ end: z.int() }),
])
const BATCH = 500

/** All rows of all tables, as of one moment. */
export async function* readRows(pool: Pool, { tables }: TransferPlan): AsyncGenerator<TextRow> {
  const client = await pool.connect()
  let finished = false
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const table of Object.keys(tables)) yield* readTable(client, tables, table)
    await client.query('commit')
    finished = true
  } finally {
    client.release(!finished)
  }
}

async function* readTable(client: PoolClient, tables: Tables, table: string): AsyncGenerator<TextRow> {
  const columns = columnsOf(tables, table).map(([name]) => `${quoted(name)}::text as ${quoted(name)}`)
  await client.query(`declare rows no scroll cursor for select ${columns.join(', ')} from ${quoted(table)}`)
  for (;;) {
    const { rows } = await client.query<TextRow['row']>(`fetch ${BATCH} from rows`)
    for (const row of rows) yield { table, row }
    if (rows.length < BATCH) break
  }
  await client.query('close rows')
}

/** Into an empty database only, and all or nothing. */
export async function writeRows(
  pool: Pool,
  plan: TransferPlan,
  rows: AsyncIterable<TextRow> | Iterable<TextRow>,
): Promise<number> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('begin')
    await refuseFull(client, plan.mustBeEmpty)
    for (const statement of plan.before) await client.query(statement)
    const count = await writeBatches(client, plan.tables, rows)
    await restartIdentities(client, plan.tables)
    for (const statement of plan.after) await client.query(statement)
    await client.query('commit')
    failed = false
    return count
  } finally {
    client.release(failed)
  }
}

async function refuseFull(client: PoolClient, mustBeEmpty: readonly string[]): Promise<void> {
  const looks = mustBeEmpty.map((table) => `select 1 from ${quoted(table)}`)
  const { rows } = await client.query(`${looks.join(' union all ')} limit 1`)
  if (rows.length > 0)
    throw new Fault('store_not_empty', 'data can be copied only into an empty database', {
      hint: 'Give a new directory, or another schema or database.',
    })
}

async function writeBatches(
  client: PoolClient,
  tables: Tables,
  rows: AsyncIterable<TextRow> | Iterable<TextRow>,
): Promise<number> {
  let batch: TextRow[] = []
  let count = 0
  for await (const row of rows) {
    if (batch.length === BATCH || (batch[0] !== undefined && batch[0].table !== row.table)) {
      await writeBatch(client, tables, batch)
      batch = []
    }
    batch.push(row)
    count += 1
  }
  await writeBatch(client, tables, batch)
  return count
}

/** Columns that the copy does not have keep what the table gives them. */
async function writeBatch(client: PoolClient, tables: Tables, batch: readonly TextRow[]): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  const columns = columnsOf(tables, first.table).filter(([name]) => name in first.row)
  const names = columns.map(([name]) => quoted(name))
  await client.query(
    `insert into ${quoted(first.table)} (${names.join(', ')})
     select ${columns.map(([name, { sql }]) => `${quoted(name)}::${sql}`).join(', ')}
     from unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given(${names.join(', ')})`,
    columns.map(([name]) => batch.map(({ row }) => row[name] ?? null)),
  )
}

async function restartIdentities(client: PoolClient, tables: Tables): Promise<void> {
  for (const table of Object.keys(tables))
    for (const [name, column] of columnsOf(tables, table))
      if (column.filled && column.sql === 'bigint')
        await client.query(
          `select setval(pg_get_serial_sequence('${table}', '${name}'),
             coalesce((select max(${quoted(name)}) from ${quoted(table)}), 0) + 1, false)`,
        )
}

function columnsOf(tables: Tables, table: string): [name: string, column: Column<unknown>][] {
  const columns = tables[table]
  if (columns === undefined) throw new Fault('store_export', `there is no table ${table}`)
  return Object.entries(columns)
}

/** One line per row; the last line says how many there are, so that a cut-off file is noticed. */
export async function exportRows(pool: Pool, plan: TransferPlan, file: string): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    const head: z.input<typeof Head> = { treadle: 'export', version: 1, migrations: [...plan.migrations] }
    let lines = [JSON.stringify(head)]
    let count = 0
    for await (const row of readRows(pool, plan)) {
      count += 1
      lines.push(JSON.stringify(row))
      if (lines.length < BATCH) continue
      await handle.write(`${lines.join('\n')}\n`)
      lines = []
    }
    lines.push(JSON.stringify({ end: count }))
    await handle.write(`${lines.join('\n')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  moveFile(temporary, file)
}

export async function importRows(pool: Pool, plan: TransferPlan, file: string): Promise<number> {
  return writeRows(pool, plan, readLines(file, plan))
}

async function* readLines(file: string, { migrations }: TransferPlan): AsyncGenerator<TextRow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  let head = false
  let count = 0
  for await (const line of lines) {
    if (!head) {
      checkHead(file, line, migrations)
      head = true
      continue
    }
    const parsed = Line.parse(JSON.parse(line))
    if ('end' in parsed) {
      if (parsed.end === count) return
      break
    }
    count += 1
    yield parsed
  }
  throw new Fault('store_export', `${file} is not whole: ${count} rows and no proper end`)
}

function checkHead(file: string, line: string, migrations: readonly string[]): void {
  const head = Head.safeParse(parseJson(line))
  if (!head.success) throw new Fault('store_export', `${file} is not an export of Treadle`)
  const newer = head.data.migrations.filter((name) => !migrations.includes(name))
  if (newer.length > 0)
    throw new Fault('store_export', `${file} was written by a newer Treadle (${newer.join(', ')})`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
