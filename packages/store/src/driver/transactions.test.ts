import { setTimeout as sleep } from 'node:timers/promises'
import { atSomePace } from '@treadle/requirements/pace'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../connect.ts'
import {
  DRIVERS,
  eventually,
  newItem,
  newProject,
  openAt,
  useStore,
  useTestDatabases,
} from '../testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

describe.each(DRIVERS)('transactions on the %s database', (driver) => {
  const open = useStore(driver)
  const places = useTestDatabases(driver)
  const count = async ({ items }: OpenStore, projectNumber: number) =>
    (await items.list({ projectNumber, limit: 1_000 })).length

  test('what is inside is kept together or not at all', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    await store.tx(async () => {
      await store.items.add(newItem({ projectNumber }), at)
      // Joins; a second transaction would wait for the first.
      await store.tx(async () => {
        await store.items.add(newItem({ projectNumber }), at)
      })
    })
    expect(await count(store, projectNumber)).toBe(2)
    const failing = store.tx(async () => {
      await store.items.add(newItem({ projectNumber }), at)
      await store.tx(async () => {
        await store.items.add(newItem({ projectNumber }), at)
      })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await count(store, projectNumber)).toBe(2)
  })

  test('a job sent to a queue that was never used joins, and goes with a rollback', async (context) => {
    const store = await openAt(places(context), { queue: { pollSeconds: 0.5 } })
    const item = { projectNumber: 1, number: 1 }
    const failing = store.tx(async () => {
      await store.items.add(newItem(), at)
      await store.jobs.send('merge', { item })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await store.tx(async () => {
      await store.items.add(newItem(), at)
      await store.jobs.send('review', { item })
    })
    const ran: string[] = []
    await store.startJobs(
      {
        review: async () => void ran.push('review'),
        merge: async () => void ran.push('merge'),
        learn: async () => undefined,
        spec: async () => undefined,
        build: async () => undefined,
        coordinate: async () => undefined,
      },
      async () => undefined,
    )
    await eventually(() => (ran.includes('review') ? true : undefined), 60_000)
    await sleep(1_000)
    expect(ran).toEqual(['review'])
    expect(await count(store, 1)).toBe(1)
    await store.close()
  })

  test('statements that run at the same time inside one transaction take turns', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    await store.tx(() =>
      Promise.all(Array.from({ length: 10 }, () => store.items.add(newItem({ projectNumber }), at))),
    )
    expect(await count(store, projectNumber)).toBe(10)
  })

  test('work that was started inside and outlives it does not fall into the next transaction', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    const go = Promise.withResolvers<void>()
    let late: Promise<unknown> = Promise.resolve()
    await store.tx(async () => {
      await store.items.add(newItem({ projectNumber }), at)
      late = go.promise.then(() => store.items.add(newItem({ projectNumber, title: 'late' }), at))
    })
    const other = store.tx(async () => {
      await store.items.add(newItem({ projectNumber: newProject() }), at)
      go.resolve()
      await sleep(100)
      throw new Error('rolled back')
    })
    await expect(other).rejects.toThrow('rolled back')
    await late
    expect((await store.items.list({ projectNumber, limit: 10 })).map(({ title }) => title)).toContain('late')
  })

  test('a statement that nobody awaited is part of the transaction or of none, never of another', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    const loose: Promise<unknown>[] = []
    await store.tx(async () => {
      for (let index = 0; index < 5; index += 1)
        loose.push(store.items.add(newItem({ projectNumber, title: `loose ${index}` }), at))
    })
    await Promise.all(loose)
    expect(await count(store, projectNumber)).toBe(5)
  })

  test('an error that was swallowed inside does not pass for a commit', async (context) => {
    const store = await open(context)
    const projectNumber = newProject()
    const swallowing = store.tx(async () => {
      await store.items.add(newItem({ projectNumber }), at)
      await store.runs.find('not a uuid').catch(() => undefined)
    })
    await expect(swallowing).rejects.toMatchObject({ kind: 'store_transaction_aborted' })
    expect(await count(store, projectNumber)).toBe(0)
  })

  test('a transaction that never ends is rolled back, and the store works on', (context) =>
    atSomePace(async (unitMs) => {
      const store = await openAt(places(context), { txMs: unitMs })
      let after: Promise<unknown> = Promise.resolve()
      const stuck = store.tx(async () => {
        await store.items.add(newItem(), at)
        await sleep(2 * unitMs)
        after = store.items.add(newItem(), at)
        after.catch(() => undefined)
      })
      await expect(stuck).rejects.toMatchObject({ kind: 'store_transaction_expired' })
      expect(await count(store, 1)).toBe(0)
      await sleep(1.3 * unitMs)
      await expect(after).rejects.toMatchObject({ kind: 'store_transaction_expired' })
      await store.items.add(newItem(), at)
      expect(await count(store, 1)).toBe(1)
      await store.close()
    }))
})
