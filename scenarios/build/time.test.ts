// The time that a build has: work time, by a clock that the test leads.
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { begun, fail, start, taskOf } from './hand-build.ts'

const clock = new LedClock()
const open = useInProcess('any', { clock, settings: { limits: { sweepMs: 300 } } })
const HOUR_MS = 3_600_000

verifies(
  'AGENT-BUILD-28',
  'a build stops when it has worked for over 2 hours; what waits for a person does not count, and a resumed one begins anew',
  async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    const stood = await start(daemon, 'stood', [{ id: 'T1', file: 'a.txt' }])
    await fail(daemon, taskOf(stood, 'T1').number, 'no idea')
    await begun(client, 'stood', ({ counts, workingSince }) => counts.failed === 1 && workingSince === null)

    await start(daemon, 'worked', [{ id: 'T1', file: 'a.txt' }])
    clock.pass(2 * HOUR_MS - 60_000)
    expect((await client.showBuild({ params: { id: 'worked' } })).status).toBe('running')
    clock.pass(60_001)
    const stopped = await begun(client, 'worked', ({ status }) => {
      clock.pass(300)
      return status === 'stopped'
    })
    expect(stopped.why).toBe('Time limit exceeded (2 hours)')
    expect((await client.showBuild({ params: { id: 'stood' } })).status).toBe('running')
    await client.resumeBuild({ params: { id: 'worked' }, body: { by: 'ada' } })
    clock.pass(HOUR_MS)
    const resumed = await begun(client, 'worked')
    expect(resumed).toMatchObject({ why: null, workedMs: 0 })
    // Whoever looks reads all of it.
    expect(resumed.elapsedMs).toBeGreaterThanOrEqual(3 * HOUR_MS)
  },
)
