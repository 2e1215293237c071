import { eachSeed, isFullChaos } from '@treadle/requirements/seeds'
import { describe, expect } from 'vitest'
import { DRIVERS, useTestDatabases } from './testing/both-drivers.ts'
import { killRounds } from './testing/kill-rounds.ts'

// The whole number by `npm run chaos`.
const KILLS = isFullChaos ? 12 : 4

describe.each(DRIVERS)('kill -9 on the %s database', (driver) => {
  const places = useTestDatabases(driver)

  eachSeed(
    `${KILLS} kills, some while it starts, lose nothing that was confirmed`,
    async ({ random }, context) => {
      const acked = await killRounds(places(context), KILLS, random)
      // All but those that die while they start have a row confirmed first.
      expect(acked).toBeGreaterThanOrEqual(KILLS / 2)
    },
  )
})
