import { expectWithin, timed } from '@treadle/requirements/within'
import { describe, expect, test } from 'vitest'
import { DRIVERS, eventually, openAt, useTestDatabases } from '../../testing/both-drivers.ts'
import { spawnStore } from '../../testing/spawn-store.ts'

describe.each(['SIGKILL', 'SIGSTOP'] as const)('two daemons on one server, one gets %s', (signal) => {
  const places = useTestDatabases('server')

  test('the other takes over its job', async (context) => {
    const place = places(context)
    const store = await openAt(place)
    const job = { item: { projectNumber: 1, number: 9 } }
    const daemon = spawnStore('work', place)
    await daemon.said(/^ready$/)
    await store.jobs.send('review', job)
    await daemon.said(/^started 9$/)
    const ran: unknown[] = []
    await store.startJobs(
      {
        review: async (given) => void ran.push(given),
        merge: async () => undefined,
        learn: async () => undefined,
        spec: async () => undefined,
        build: async () => undefined,
        coordinate: async () => undefined,
      },
      async () => undefined,
    )
    daemon.child.kill(signal)
    await eventually(() => (ran.length === 1 ? true : undefined), 60_000)
    expect(ran).toEqual([job])
    await daemon.kill()
    await store.close()
  })
})

describe.each(DRIVERS)('a job that failed once, on the %s database', (driver) => {
  const places = useTestDatabases(driver)

  // Nobody is notified of a job that is due again; pg-boss left to itself would look after thirty seconds.
  test('is tried again within ten seconds', async (context) => {
    const store = await openAt(places(context), { queue: { retryDelaySeconds: 1 } })
    const tries: Record<number, number> = {}
    const review = async ({ item }: { item: { number: number } }) => {
      tries[item.number] = (tries[item.number] ?? 0) + 1
      if (tries[item.number] === 1) throw new Error('the first time')
    }
    await store.startJobs(
      {
        review,
        merge: async () => undefined,
        learn: async () => undefined,
        spec: async () => undefined,
        build: async () => undefined,
        coordinate: async () => undefined,
      },
      async () => undefined,
    )
    await expectWithin(10_000, (number) =>
      timed(async () => {
        await store.jobs.send('review', { item: { projectNumber: 1, number: number + 1 } })
        await eventually(() => (tries[number + 1] === 2 ? true : undefined), 60_000)
      }),
    )
    await store.close()
  })
})
