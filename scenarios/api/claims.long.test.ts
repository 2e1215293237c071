import { isHeld, isQueued } from '@treadle/flow/flow'
import { isFullChaos } from '@treadle/requirements/seeds'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect } from 'vitest'
import { DRIVERS, startDaemon, useDaemon, usePlaces } from '../kit/daemon.ts'
import { kill } from '../kit/processes.ts'
import { raceRounds } from './claim-race.ts'
import { crowd, finish } from './claims-crowd.ts'

/** The whole race takes ten minutes: npm run chaos. */
const ITEMS = isFullChaos ? 2_000 : 40
const ROUNDS = isFullChaos ? 50 : 10
/** What two daemons share, and how many are claimed when one of them is killed. */
const SHARED = isFullChaos ? { items: 300, killAt: 100 } : { items: 50, killAt: 15 }

describe.each(DRIVERS)('claims over HTTP on the %s database', (driver) => {
  const open = useDaemon(driver)

  // First, while nothing else is in the queue.
  verifies(
    ['AC-2.1.b', 'AC-2.1.c', 'ORCH-2.1-6', 'ORCH-S5-1'],
    'fifty clients race for many items: none is claimed twice, none is left',
    async (context) => {
      const daemon = await open(context)
      const { racers } = await crowd({ daemons: [daemon], clients: 50, items: ITEMS })
      expect(racers.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(0)
      expect((await daemon.client.queue()).items).toEqual([])
    },
  )

  verifies(
    ['AC-2.1.b', 'AC-2.1.c', 'ORCH-2.1-5', 'ORCH-2.1-6', 'ORCH-S5-1'],
    `twenty clients race for one item, ${ROUNDS} times: each time one gets 200, all others 409 with the holder`,
    async (context) => {
      const daemon = await open(context)
      await raceRounds(daemon, ROUNDS)
      expect((await daemon.client.health()).ok).toBe(true)
    },
  )
})

const server = usePlaces('server')
const elsewhere = usePlaces('embedded')

verifies(
  ['AC-2.1.c', 'ORCH-2.1-6', 'ORCH-S5-1'],
  'two daemons on one PostgreSQL, one of them killed in the middle: each item is claimed once and delivered once',
  async (context) => {
    const settings = { merge: { approval: 'never' } } as const
    const { workspace, databaseUrl } = await server(context, { settings })
    const other = await elsewhere(context, { settings })
    const staying = await startDaemon(workspace, databaseUrl)
    const leaving = await startDaemon(other.workspace, databaseUrl)
    let claims = 0
    const { racers, events } = await crowd({
      daemons: [staying, leaving],
      clients: 20,
      items: SHARED.items,
      onClaimed: async (racer, claim) => {
        claims += 1
        if (claims === SHARED.killAt) kill(leaving.pid)
        await finish(racer, claim)
      },
    })
    expect(racers.filter(({ moved }) => moved > 0)).not.toEqual([])
    const { items } = await staying.client.listItems({ query: { limit: 1_000 } })
    expect(items).toHaveLength(SHARED.items)
    // What is delivered is the daemon's to merge; nobody holds or queues it again.
    expect(items.filter(({ state, fence }) => isHeld(state) || isQueued(state) || fence !== 1)).toEqual([])
    const passed = events.filter(({ event }) => event.type === 'verify.passed')
    expect(new Set(passed.map(({ item }) => item?.number)).size).toBe(SHARED.items)
    expect(passed).toHaveLength(SHARED.items)
  },
)
