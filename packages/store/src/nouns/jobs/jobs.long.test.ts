import { describe, expect, test } from 'vitest'
import { eventually, openAt, usePlaces } from '../../testing/both-drivers.ts'
import { spawnStore } from '../../testing/spawn-store.ts'

describe.each(['SIGKILL', 'SIGSTOP'] as const)('two daemons on one server, one gets %s', (signal) => {
  const places = usePlaces('server')

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
