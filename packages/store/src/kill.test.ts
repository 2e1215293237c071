import { describe, expect, test } from 'vitest'
import { DRIVERS, usePlaces } from './testing/both-drivers.ts'
import { killRounds } from './testing/kill-rounds.ts'

describe.each(DRIVERS)('kill -9 on the %s database', (driver) => {
  const places = usePlaces(driver)

  test('five kills lose nothing that was confirmed', { timeout: 180_000 }, async (context) => {
    const acked = await killRounds(places(context), 5)
    expect(acked).toBeGreaterThan(5)
  })
})
