// Two daemons on one database look for improvements at once: together they ask for no more than one alone.
import { randomUUID } from 'node:crypto'
import { CATEGORIES } from '@treadle/contracts/categories'
import { Config } from '@treadle/contracts/config'
import { runLook } from '@treadle/flow/idea/category/look.run'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'

const NOW = new Date('2026-11-18T12:00:00Z')

describe.each(DRIVERS)('two looks at once on the %s database', (driver) => {
  const open = useStore(driver)

  test('ask for no more than a day may bring', async (context) => {
    const store = await open(context)
    for (const agent of ['agent-1', 'agent-2', 'agent-3'] as const) await store.agents.ensure(agent, NOW)
    const config = Config.parse({
      flags: { enable_ideation: true },
      engines: { default: 'none' },
      ideas: { perDay: 1 },
    })
    const world = {
      store,
      now: () => NOW,
      uuid: randomUUID,
      config: () => config,
      prompt: async () => ({ is: 'missing', why: 'nobody asks for it' }) as const,
      packages: async () => null,
      surveyed: CATEGORIES,
      hasTests: () => true,
      unready: () => null,
      hold: () => null,
      isIdle: () => true,
      lockSubject: async () => undefined,
      endThought: async () => null,
    }
    await Promise.all([runLook(world), runLook(world)])
    expect((await store.ideations.totals(NOW)).underWay).toBe(1)
  })
})
