import { describe, expect, test } from 'vitest'
import { DRIVERS, eventually, openAt, useTestDatabases } from '../../testing/both-drivers.ts'
import { spawnStore } from '../../testing/spawn-store.ts'

describe.each(DRIVERS)('jobs on the %s database', (driver) => {
  const places = useTestDatabases(driver)

  test('each stage gets its own jobs, and a job that failed for good is reported with its reason', async (context) => {
    const store = await openAt(places(context), { queue: { retryLimit: 0 } })
    const seen: unknown[] = []
    await store.startJobs(
      {
        review: async (job) => void seen.push(['review', job]),
        merge: async () => {
          throw new Error('no branch')
        },
        learn: async (job) => void seen.push(['learn', job]),
        spec: async () => undefined,
        build: async () => undefined,
        coordinate: async () => undefined,
      },
      async (name, job, why) => void seen.push(['dead', name, job, why]),
    )
    const [one, two] = [{ item: { projectNumber: 1, number: 1 } }, { item: { projectNumber: 1, number: 2 } }]
    await store.jobs.send('review', one)
    await store.jobs.send('merge', two)
    await eventually(() => (seen.length === 2 ? true : undefined), 1120_000)
    expect(seen).toEqual([
      ['review', one],
      ['dead', 'merge', two, 'no branch'],
    ])
    await store.stopJobs()
    await store.jobs.send('review', two)
    await store.close()
  })
})

describe('a daemon that dies at work', () => {
  const places = useTestDatabases('embedded')

  test('its job is taken up at once by the next one, as often as it takes', {
    timeout: 180_000,
  }, async (context) => {
    const place = places(context)
    const first = await openAt(place)
    const job = { item: { projectNumber: 1, number: 4 } }
    await first.jobs.send('merge', job)
    await first.close()
    for (let death = 0; death < 2; death += 1) {
      const daemon = spawnStore('work', place)
      await daemon.said(/^started 4$/)
      await daemon.kill()
    }
    const next = await openAt(place, { queue: { retryLimit: 1 } })
    const ran: unknown[] = []
    const dead: unknown[] = []
    await next.startJobs(
      {
        review: async () => undefined,
        merge: async (given) => void ran.push(given),
        learn: async () => undefined,
        spec: async () => undefined,
        build: async () => undefined,
        coordinate: async () => undefined,
      },
      async (...given) => void dead.push(given),
    )
    // The heartbeat of the dead one would lapse only after a minute.
    await eventually(() => (ran.length === 1 ? true : undefined), 120_000)
    expect([ran, dead]).toEqual([[job], []])
    await next.close()
  })
})
