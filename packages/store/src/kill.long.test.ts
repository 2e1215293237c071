import { describe, expect, test } from 'vitest'
import { DRIVERS, usePlaces } from './testing/both-drivers.ts'
import { killRounds } from './testing/kill-rounds.ts'

describe.each(DRIVERS)('kill -9 on the %s database', (driver) => {
  const places = usePlaces(driver)

  test('twelve kills, some while it starts, lose nothing that was confirmed', async (context) => {
    const acked = await killRounds(places(context), 12)
    expect(acked).toBeGreaterThan(12)
  })
})
