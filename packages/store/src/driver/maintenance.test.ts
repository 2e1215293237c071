import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MODULES } from '../modules.ts'
import { transferPlanOf } from '../nouns/module.ts'
import { newItem, openAt, useTestDatabases } from '../testing/both-drivers.ts'
import { openData, PG_MAJOR } from './embedded.ts'
import { startMaintenance } from './maintenance.ts'

const places = useTestDatabases('embedded')

test('each day leaves one export, seven are kept, the last is written at the end; deleted rows give their space back', async (context) => {
  const { target, schema } = places(context)
  if (target.is !== 'embedded') throw new Error('not embedded')
  const store = await openAt({ target, schema })
  await store.items.add(newItem(), new Date())
  await store.close()
  const { pool, close } = await openData(join(target.dir, `db-${PG_MAJOR}`), {
    schema,
    workerUrl: new URL('./pglite-worker.ts', import.meta.url),
    watchdogMs: 30_000,
    log: () => undefined,
  })
  let day = 1
  const said: string[] = []
  const exportsDir = mkdtempSync(join(target.dir, 'exports-'))
  const maintenance = startMaintenance({
    pool,
    plan: transferPlanOf(MODULES),
    exportsDir,
    schemas: [schema],
    now: () => new Date(Date.UTC(2026, 0, day, 12)),
    everyMs: 3_600_000,
    log: (message) => said.push(message),
  })
  const size = async (): Promise<number> => {
    const { rows } = await pool.query(`select pg_relation_size('heartbeats')::integer as size`)
    return rows[0].size
  }
  await pool.query(
    `insert into heartbeats (agent_id, at, beat) select 'agent-1', now(), '{}' from generate_series(1, 5000)`,
  )
  await pool.query('delete from heartbeats')
  expect(await size()).toBeGreaterThan(100_000)
  for (; day <= 9; day += 1) {
    await maintenance.run()
    await maintenance.run()
  }
  expect(await size()).toBe(0)
  day = 9
  const names = () => readdirSync(exportsDir).sort()
  expect(names()).toEqual(
    ['03', '04', '05', '06', '07', '08', '09'].map((of) => `treadle-2026-01-${of}.jsonl`),
  )
  await pool.query(`update items set title = 'changed on the last day'`)
  await maintenance.stop()
  expect(names()).toHaveLength(7)
  expect(readFileSync(join(exportsDir, 'treadle-2026-01-09.jsonl'), 'utf8')).toContain(
    'changed on the last day',
  )
  expect(readFileSync(join(exportsDir, 'treadle-2026-01-08.jsonl'), 'utf8')).not.toContain('changed on')
  expect(said).toEqual([])
  await close()
})
