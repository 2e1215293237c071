// The tables of a place that no store has open, for a test that asks them itself.
import { join } from 'node:path'
import { Pool } from 'pg'
import { openData, PG_MAJOR } from '../driver/embedded.ts'
import { compiledPath } from '../driver/template.ts'
import type { TestDatabase } from './both-drivers.ts'
import { TEMPLATES } from './templates.ts'

export async function withPool<T>(
  { target, schema }: TestDatabase,
  use: (pool: Pool) => Promise<T>,
): Promise<T> {
  if (target.is === 'server') {
    const options = `-c search_path=${schema}`
    const pool = new Pool({ connectionString: target.url, max: 1, options })
    return use(pool).finally(() => pool.end())
  }
  const workerUrl = new URL('../driver/pglite-worker.ts', import.meta.url)
  const compiled = compiledPath(TEMPLATES)
  const options = { schema, workerUrl, compiled, watchdogMs: 30_000, log: () => undefined }
  const data = await openData(join(target.dir, `db-${PG_MAJOR}`), options)
  return use(data.pool).finally(() => data.close())
}
