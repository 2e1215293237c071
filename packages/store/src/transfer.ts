// The data as text, independent of the version of the database: to a file, from a file, to another database.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Fault } from '@treadle/flow/fault'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { quoted } from './channels.ts'
import { moveFile } from './files.ts'
import { FILLED_FROM_OLDER, MIGRATION_NAMES, TOLD_BY_WORDS } from './migrations.ts'
import { columnsOf, TABLE_NAMES, type TableName } from './schema.ts'

/** Values as PostgreSQL prints them: JSON numbers would lose digits. */
export interface TextRow {
  readonly table: TableName
  readonly row: Readonly<Record<string, string | null>>
}

const Head = z.object({
  treadle: z.literal('export'),
  version: z.literal(1),
  migrations: z.array(z.string()),
})
const Line = z.union([
  z.object({ table: z.enum(TABLE_NAMES), row: z.record(z.string(), z.string().nullable()) }),
  z.object({ end: z.int() }),
])
const BATCH = 500

/** All rows of all tables, as of one moment. */
export async function* readRows(pool: Pool): AsyncGenerator<TextRow> {
  const client = await pool.connect()
  let finished = false
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const table of TABLE_NAMES) yield* readTable(client, table)
    await client.query('commit')
    finished = true
  } finally {
    client.release(!finished)
  }
}

async function* readTable(client: PoolClient, table: TableName): AsyncGenerator<TextRow> {
  const columns = columnsOf(table).map(([name]) => `${quoted(name)}::text as ${quoted(name)}`)
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
  rows: AsyncIterable<TextRow> | Iterable<TextRow>,
): Promise<number> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('begin')
    await refuseFull(client)
    await client.query('delete from feed')
    const { count, left } = await writeBatches(client, rows)
    await restartIdentities(client)
    await settleLessons(client)
    for (const statement of [...fillingOf(left), ...TOLD_BY_WORDS]) await client.query(statement)
    await client.query('commit')
    failed = false
    return count
  } finally {
    client.release(failed)
  }
}

async function refuseFull(client: PoolClient): Promise<void> {
  const { rows } = await client.query(
    'select 1 from items union all select 1 from events union all select 1 from lessons limit 1',
  )
  if (rows.length > 0)
    throw new Fault('store_not_empty', 'data can be copied only into an empty database', {
      hint: 'Give a new directory, or another schema or database.',
    })
}

interface Written {
  readonly count: number
  /** Columns, with their tables, that the rows did not have: they are of an earlier version. */
  readonly left: ReadonlySet<string>
}

async function writeBatches(
  client: PoolClient,
  rows: AsyncIterable<TextRow> | Iterable<TextRow>,
): Promise<Written> {
  let batch: TextRow[] = []
  let count = 0
  const left = new Set<string>()
  for await (const row of rows) {
    for (const name of missingIn(row)) left.add(`${row.table}.${name}`)
    if (batch.length === BATCH || (batch[0] !== undefined && batch[0].table !== row.table)) {
      await writeBatch(client, batch)
      batch = []
    }
    batch.push(row)
    count += 1
  }
  await writeBatch(client, batch)
  return { count, left }
}

function fillingOf(left: ReadonlySet<string>): string[] {
  return [...left].flatMap((column) => FILLED_FROM_OLDER[column] ?? [])
}

function missingIn({ table, row }: TextRow): string[] {
  return columnsOf(table).flatMap(([name]) => (name in row ? [] : [name]))
}

/** Columns that the copy does not have keep what the table gives them. */
async function writeBatch(client: PoolClient, batch: readonly TextRow[]): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  const columns = columnsOf(first.table).filter(([name]) => name in first.row)
  const names = columns.map(([name]) => quoted(name))
  await client.query(
    `insert into ${quoted(first.table)} (${names.join(', ')})
     select ${columns.map(([name, { sql }]) => `${quoted(name)}::${sql}`).join(', ')}
     from unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given(${names.join(', ')})`,
    columns.map(([name]) => batch.map(({ row }) => row[name] ?? null)),
  )
}

async function restartIdentities(client: PoolClient): Promise<void> {
  for (const table of TABLE_NAMES)
    for (const [name, column] of columnsOf(table))
      if (column.filled && column.sql === 'bigint')
        await client.query(
          `select setval(pg_get_serial_sequence('${table}', '${name}'),
             coalesce((select max(${quoted(name)}) from ${quoted(table)}), 0) + 1, false)`,
        )
}

/** Rows of an older export are as they were before the migrations that ran here on empty tables. */
async function settleLessons(client: PoolClient): Promise<void> {
  await client.query(
    `update lessons set superseded_at = updated_at where superseded_by is not null and superseded_at is null`,
  )
  await client.query(
    `update lessons set content = left(payload ->> 'summary', 4000)
     where content = '' and jsonb_typeof(payload -> 'summary') = 'string'`,
  )
}

/** One line per row; the last line says how many there are, so that a cut-off file is noticed. */
export async function exportRows(pool: Pool, file: string): Promise<void> {
  const temporary = `${file}.new`
  const handle = await open(temporary, 'w', 0o600)
  try {
    const head: z.input<typeof Head> = { treadle: 'export', version: 1, migrations: [...MIGRATION_NAMES] }
    let lines = [JSON.stringify(head)]
    let count = 0
    for await (const row of readRows(pool)) {
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

export async function importRows(pool: Pool, file: string): Promise<number> {
  return writeRows(pool, readLines(file))
}

async function* readLines(file: string): AsyncGenerator<TextRow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  let head = false
  let count = 0
  for await (const line of lines) {
    if (!head) {
      checkHead(file, line)
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

function checkHead(file: string, line: string): void {
  const head = Head.safeParse(parseJson(line))
  if (!head.success) throw new Fault('store_export', `${file} is not an export of Treadle`)
  const newer = head.data.migrations.filter((name) => !MIGRATION_NAMES.includes(name))
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
