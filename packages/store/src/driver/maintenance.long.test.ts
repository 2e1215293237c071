import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MODULES } from '../modules.ts'
import { transferPlanOf } from '../nouns/module.ts'
import { openAt, useTestDatabases } from '../testing/both-drivers.ts'
import { openData, PG_MAJOR } from './embedded.ts'
import { startMaintenance } from './maintenance.ts'

const MB = 1024 * 1024
const places = useTestDatabases('embedded')

test('the log of three hundred megabytes of writing does not stay on the disk', async (context) => {
  const { target, schema } = places(context)
  if (target.is !== 'embedded') throw new Error('not embedded')
  await (await openAt({ target, schema })).close()
  const path = join(target.dir, `db-${PG_MAJOR}`)
  const { pool, close } = await openData(path, {
    schema,
    workerUrl: new URL('./pglite-worker.ts', import.meta.url),
    watchdogMs: 60_000,
    log: () => undefined,
  })
  const now = () => new Date()
  const said: string[] = []
  const maintenance = startMaintenance({
    pool,
    plan: transferPlanOf(MODULES),
    exportsDir: join(target.dir, 'exports'),
    schemas: [schema],
    now,
    everyMs: 500,
    log: (message) => said.push(message),
  })
  const written = async (): Promise<number> => {
    const { rows } = await pool.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`)
    return rows[0].bytes
  }
  const start = await written()
  let most = 0
  while ((await written()) - start < 300 * MB) {
    await pool.query(
      `insert into heartbeats (agent_id, at, beat)
       select 'agent-1', now(), to_jsonb(repeat('x', 150)) from generate_series(1, 20000)`,
    )
    await pool.query('delete from heartbeats')
    most = Math.max(most, walBytes(path))
  }
  expect(most).toBeLessThan(150 * MB)
  await maintenance.run()
  expect(walBytes(path)).toBeLessThan(100 * MB)
  await maintenance.stop()
  expect(said).toEqual([])
  await close()
})

function walBytes(path: string): number {
  const wal = join(path, 'pg_wal')
  return readdirSync(wal).reduce((sum, name) => sum + statSync(join(wal, name)).size, 0)
}
