// Somebody sets the clock of the machine while the daemon runs.
import { expect, test } from 'vitest'
import { useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'

const HOUR = 3_600_000
const clock = new LedClock()
const open = useInProcess('any', { clock })

test('the health checks go on when the clock is set back by hours', async (context) => {
  const { client } = await open(context)
  const checkedAt = async () => Date.parse((await client.healthChecks()).checkedAt ?? '1970-01-01')
  const checkedSince = (at: number) =>
    eventually('a check', async () => {
      clock.pass(20_000)
      const checked = await checkedAt()
      return checked >= at && checked <= clock.now().getTime() ? checked : undefined
    })
  const first = await checkedSince(clock.now().getTime())
  clock.set(-10 * HOUR)
  const again = await checkedSince(clock.now().getTime())
  expect(again).toBeLessThan(first)
  expect(clock.now().getTime()).toBeLessThan(first)
})
