import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newItem, openAt, useTestDatabases } from '../testing/both-drivers.ts'
import { openData, PG_MAJOR } from './embedded.ts'

const places = useTestDatabases('embedded')
const data = {
  schema: 'treadle',
  workerUrl: new URL('./pglite-worker.ts', import.meta.url),
  watchdogMs: 30_000,
  log: () => undefined,
}

test('every commit makes the disk keep it, and health says so', async (context) => {
  const place = places(context)
  const store = await openAt(place)
  expect(await store.health()).toEqual({ driver: 'embedded', ok: true, durability: 'full' })
  await store.items.add(newItem(), new Date())
  await store.close()
  if (place.target.is !== 'embedded') throw new Error('not embedded')
  const { pool, thread, close } = await openData(join(place.target.dir, `db-${PG_MAJOR}`), data)
  await pool.query('update items set attempts = attempts + 1')
  const before = thread.syncs
  for (let count = 0; count < 20; count += 1) await pool.query('update items set attempts = attempts + 1')
  expect(thread.syncs - before).toBe(20)
  await close()
})

test('without fsync the store says that a power cut may lose transactions', async (context) => {
  const place = places(context)
  await (await openAt(place)).close()
  if (place.target.is !== 'embedded') throw new Error('not embedded')
  const { pool, close } = await openData(join(place.target.dir, `db-${PG_MAJOR}`), data)
  await pool.query('alter system set fsync to off')
  await close()
  const said: string[] = []
  const store = await openAt(place, { log: (message) => said.push(message) })
  expect(await store.health()).toMatchObject({ ok: true, durability: 'process_crash_only' })
  expect(said).toContainEqual(expect.stringContaining('power cut'))
  await store.close()
})
