// Whether the crew keeps itself busy, counted on both databases.
import type { AgentId } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, newItem, newProject, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, type TestContext, test } from 'vitest'
import { addItem, become, DAY, HOUR, measure, newCrew, work } from './measured.ts'

describe.each(DRIVERS)('the loop on the %s database', (driver) => {
  const open = useStore(driver)
  const crew = async (context: TestContext) => newCrew(await open(context))

  verifies(
    ['ORCH-4.5-2', 'ORCH-4.5-5'],
    'the queue is as deep as there is to claim; the gap is from a delivery to the same agent’s next claim',
    async (context) => {
      const { store, now, ago, one, two } = await crew(context)
      const { loop: before } = await measure(store, now, '24h')
      for (let n = 0; n < 3; n += 1) await addItem(store)
      const { loop } = await measure(store, now, '24h')
      expect(loop.queueDepth - before.queueDepth).toBe(3)
      expect(loop.target).toEqual({ min: 3, max: 10 })
      expect(before.handoffGapMs).toBeNull()
      const run = async (agentId: AgentId, from: number, to: number, outcome = 'success') =>
        work(store, {
          item: await addItem(store),
          agentId,
          from: ago(from * HOUR),
          to: ago(to * HOUR),
          outcome,
        })
      await run(one, 10, 9)
      await run(two, 8.5, 8, 'escalation')
      await run(one, 8, 7)
      await run(one, 4, 3, 'released')
      await run(two, 2, 1)
      // One waited an hour and then three; two has not delivered before its second, and nobody came after that.
      expect((await measure(store, now, '24h')).loop.handoffGapMs).toBe(2 * HOUR)
    },
  )

  test('a full circle is execute, review, ideate, execute within 24 hours', async (context) => {
    const { store, now, ago, one, two } = await crew(context)
    expect((await measure(store, now, '24h')).loop.cycleCompleteness).toBeNull()
    for (const [to, hours] of [
      ['working', 9],
      ['idle', 8],
      ['reviewing', 7],
      ['ideating', 6],
      ['working', 5],
    ] as const)
      await become(store, one, to, ago(hours * HOUR))
    // The last step of this one is missing, and the first is older than a day.
    for (const [to, hours] of [
      ['working', 30],
      ['reviewing', 8],
      ['ideating', 7],
    ] as const)
      await become(store, two, to, ago(hours * HOUR))
    expect((await measure(store, now, '24h')).loop.cycleCompleteness).toBe(0.5)
    await become(store, two, 'working', ago(HOUR))
    await become(store, two, 'reviewing', ago(HOUR))
    expect((await measure(store, now, '24h')).loop.cycleCompleteness).toBe(0.5)
  })

  verifies('ORCH-4.5-4', 'categories are those of the last 30 days', async (context) => {
    const { store, now, ago } = await crew(context)
    const add = (labels: string[], days: number) =>
      store.items.add(newItem({ projectNumber: newProject(), labels }), ago(days * DAY))
    await add(['category:security', 'agent-generated'], 1)
    await add(['category:security'], 2)
    await add(['category:testing'], 29)
    await add(['category:documentation'], 31)
    await add(['category:astrology'], 1)
    await add(['security'], 1)
    expect((await measure(store, now, '24h')).loop.categoryCoverage).toBeCloseTo(2 / 21)
  })
})
