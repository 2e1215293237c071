import { verifies } from '@treadle/requirements/verifies'
import { describe, expect } from 'vitest'
import { DRIVERS, useDaemon } from '../kit/daemon.ts'
import { raceRounds } from './claim-race.ts'

describe.each(DRIVERS)('claims over HTTP on the %s database', (driver) => {
  const open = useDaemon(driver)

  verifies(
    ['AC-2.1.b', 'AC-2.1.c', 'ORCH-2.1-5', 'ORCH-2.1-6', 'ORCH-S5-1'],
    'twenty clients race for one item, fifty times: each time one gets 200, all others 409 with the holder',
    async (context) => {
      const daemon = await open(context)
      await raceRounds(daemon, 50)
      expect((await daemon.client.health()).ok).toBe(true)
    },
  )
})
