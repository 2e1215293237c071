// Maintenance that a server's background processes would do: checkpoints, vacuum, and a daily export as a backup.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@treadle/flow/fault'
import type { Pool } from 'pg'
import { quoted } from './channels.ts'
import { exportRows, type TransferPlan } from './transfer.ts'

export interface MaintenanceOptions {
  readonly pool: Pool
  readonly plan: TransferPlan
  readonly exportsDir: string
  readonly schemas: readonly string[]
  readonly now: () => Date
  readonly everyMs: number
  readonly log: (message: string) => void
}

export interface Maintenance {
  /** One round now. */
  run(): Promise<void>
  /** Ends the timer and writes the last export. */
  stop(): Promise<void>
}

const WAL_BYTES_MAX = 32 * 1024 * 1024
const VACUUM_MS = 3_600_000
const EXPORTS_KEPT = 7

export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { pool, now, log } = options
  let lastVacuum = now().getTime()
  let lastWal: string | null = null
  let round: Promise<void> = Promise.resolve()
  const step = async (): Promise<void> => {
    lastWal = await checkpointIfMoved(pool, lastWal)
    if (now().getTime() - lastVacuum >= VACUUM_MS) {
      lastVacuum = now().getTime()
      await vacuum(pool, options.schemas)
    }
    if (!exportNames(options.exportsDir).includes(exportName(now()))) await exportToday(options)
  }
  const run = (): Promise<void> => {
    round = round
      .then(step)
      .catch((error: unknown) => log(`maintenance of the database failed: ${messageOf(error)}`))
    return round
  }
  const timer = setInterval(() => void run(), options.everyMs)
  return {
    run,
    stop: async () => {
      clearInterval(timer)
      await round
      await exportToday(options).catch((error: unknown) => log(`export failed: ${messageOf(error)}`))
    },
  }
}

/** Without checkpoints the log grows without bound, and with it the time to recover. */
async function checkpointIfMoved(pool: Pool, last: string | null): Promise<string> {
  const { rows } = await pool.query<{ lsn: string; moved: string }>(
    'select l::text as lsn, pg_wal_lsn_diff(l, coalesce($1::pg_lsn, l))::text as moved from pg_current_wal_lsn() l',
    [last],
  )
  const [row] = rows
  if (row === undefined) return last ?? '0/0'
  if (Number(row.moved) <= WAL_BYTES_MAX) return last ?? row.lsn
  await pool.query('checkpoint')
  return row.lsn
}

async function vacuum(pool: Pool, schemas: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ schemaname: string; tablename: string }>(
    'select schemaname, tablename from pg_tables where schemaname = any($1)',
    [schemas],
  )
  // Table by table, so that others get their turn in between.
  for (const { schemaname, tablename } of rows)
    await pool.query(`vacuum (analyze) ${quoted(schemaname)}.${quoted(tablename)}`)
}

async function exportToday({ pool, plan, exportsDir, now }: MaintenanceOptions): Promise<void> {
  mkdirSync(exportsDir, { recursive: true })
  await exportRows(pool, plan, join(exportsDir, exportName(now())))
  for (const name of exportNames(exportsDir).slice(0, -EXPORTS_KEPT)) rmSync(join(exportsDir, name))
}

function exportName(now: Date): string {
  return `treadle-${now.toISOString().slice(0, 10)}.jsonl`
}

/** Oldest first. */
function exportNames(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => /^treadle-\d{4}-\d{2}-\d{2}\.jsonl$/.test(name))
      .sort()
  } catch {
    return []
  }
}

export function newestExport(dir: string): string | null {
  const name = exportNames(dir).at(-1)
  return name === undefined ? null : join(dir, name)
}
