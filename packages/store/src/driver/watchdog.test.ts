import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needPostgres } from '@treadle/requirements/need-postgres'
import { atSomePace } from '@treadle/requirements/pace'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import type { ItemTables } from '../nouns/items/item-row.ts'
import { newItem, openAt, useTestDatabases } from '../testing/both-drivers.ts'
import { openDatabase } from './database.ts'
import { openData, PG_MAJOR } from './embedded.ts'

const places = useTestDatabases('embedded')
const ENDLESS = 'select count(*) from generate_series(1, 100000000000)'

test('a statement that does not end is ended; who waited gets a fault; then all works again', (context) =>
  atSomePace(async (unitMs) => {
    const place = places(context)
    const store = await openAt(place)
    await store.items.add(newItem(), new Date())
    await store.close()
    if (place.target.is !== 'embedded') throw new Error('not embedded')
    const said: string[] = []
    const driver = await openData(join(place.target.dir, `db-${PG_MAJOR}`), {
      schema: 'treadle',
      workerUrl: new URL('./pglite-worker.ts', import.meta.url),
      watchdogMs: 8 * unitMs,
      log: (message) => said.push(message),
    })
    const database = openDatabase<ItemTables>({ pool: driver.pool, txMs: 60_000 })
    const heard: string[] = []
    await driver.listen(
      'tidings',
      (payload) => heard.push(payload),
      () => undefined,
    )

    const endless = database.tx(async () => {
      await database.execute('update items set attempts = 99')
      await database.execute(ENDLESS)
    })
    const waiting = database.execute('select 1 as one')
    await expect(endless).rejects.toMatchObject({ name: 'Fault', kind: 'store_stuck' })
    // It stood in line for the connection; the next one serves it.
    await expect(waiting).resolves.toMatchObject({ rows: [{ one: 1 }] })
    expect(said).toContainEqual(expect.stringContaining(`longer than ${8 * unitMs} ms`))

    expect(await database.sql.selectFrom('items').select('attempts').execute()).toEqual([{ attempts: 0 }])
    await database.execute(`select pg_notify('tidings', 'again')`)
    expect(heard).toEqual(['again'])
    await expect(database.execute(ENDLESS)).rejects.toMatchObject({ kind: 'store_stuck' })
    await database.execute('update items set attempts = 1')
    expect(await database.sql.selectFrom('items').select('attempts').execute()).toEqual([{ attempts: 1 }])
    await driver.close()
  }))

test('a directory that cannot be read is a fault, not an endless try', async (context) => {
  const place = places(context)
  await (await openAt(place)).close()
  if (place.target.is !== 'embedded') throw new Error('not embedded')
  writeFileSync(join(place.target.dir, `db-${PG_MAJOR}`, 'global', 'pg_control'), 'nonsense')
  await expect(openAt(place)).rejects.toMatchObject({ kind: 'store_unreadable' })
})

test('a server that is away is a fault that says so', async () => {
  const pool = new Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
  const database = openDatabase<ItemTables>({ pool, txMs: 1_000 })
  await expect(database.execute('select 1')).rejects.toMatchObject({ kind: 'store_unavailable' })
  await pool.end()
})

test('a database that does not exist is the same fault', async (context) => {
  const url = new URL(needPostgres(context))
  url.pathname = '/no_such_database'
  const place = { target: { is: 'server', url: String(url) }, schema: 'treadle' } as const
  await expect(openAt(place)).rejects.toMatchObject({ kind: 'store_unavailable' })
})
