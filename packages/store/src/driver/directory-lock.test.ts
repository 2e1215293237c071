import { expect, test } from 'vitest'
import { newItem, openAt, useTestDatabases } from '../testing/both-drivers.ts'
import { spawnStore } from '../testing/spawn-store.ts'
import { StoreLocked } from './faults.ts'

const places = useTestDatabases('embedded')

test('a directory has one owner: a second is refused and told who, until the owner is gone', {
  timeout: 180_000,
}, async (context) => {
  const place = places(context)
  const owner = spawnStore('hold', place)
  await owner.said(/^ready$/)
  const refusal = { kind: 'store_locked', holder: { url: 'http://127.0.0.1:4711', pid: owner.child.pid } }
  await expect(openAt(place)).rejects.toMatchObject(refusal)
  await expect(openAt(place)).rejects.toThrow(
    `the daemon at http://127.0.0.1:4711 (process ${owner.child.pid})`,
  )

  owner.child.kill('SIGSTOP')
  await expect(openAt(place)).rejects.toBeInstanceOf(StoreLocked)

  const second = spawnStore('hold', place)
  expect(await second.said(/^failed/)).toContain(`${owner.child.pid}`)

  await owner.kill()
  const store = await openAt(place)
  await store.items.add(newItem(), new Date())
  await expect(openAt(place)).rejects.toMatchObject({ holder: { url: null, pid: process.pid } })
  await store.close()
  const again = await openAt(place)
  expect(await again.items.list({ limit: 10 })).toHaveLength(1)
  await again.close()
})
