// A calculation that really fails: a table is renamed away under a real database, and comes back.
import { REVIEW_AGENT } from '@treadle/contracts/review'
import { type MetricsMemory, runMetrics } from '@treadle/flow/supervise/metrics/metrics.run'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, openAt, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { withPool } from '@treadle/store/testing/pool'
import { describe, expect, test } from 'vitest'
import { addItem, happen, landed, newCrew, work } from './measured.ts'

describe.each(DRIVERS)('metrics that cannot be calculated on the %s database', (driver) => {
  const place = useTestDatabases(driver)

  verifies(
    ['ORCH-5.4-12', 'AC-5.4.e'],
    'the last known figures are answered with since when and why, until they can be calculated again',
    async (context) => {
      const here = place(context)
      const memory: MetricsMemory = new Map()
      const said: string[] = []
      let time = new Date()
      const ask = async (store: OpenStore) =>
        runMetrics(
          {
            store,
            now: () => time,
            config: () => sampleConfig(),
            onFailing: () => said.push('failing'),
            onMended: () => said.push('mended'),
          },
          memory,
          '24h',
        )
      const within = async <T>(use: (store: OpenStore) => Promise<T>): Promise<T> => {
        const store = await openAt(here)
        return use(store).finally(() => store.close())
      }
      const rename = (from: string, to: string) =>
        withPool(here, (pool) => pool.query(`alter table ${from} rename to ${to}`))

      const good = await within(async (store) => {
        const { now, ago, one } = await newCrew(store)
        time = now
        const item = await addItem(store)
        const runId = await work(store, { item, agentId: one, from: ago(7_200_000), to: ago(3_600_000) })
        await happen(store, { at: ago(1_000), event: landed, item, runId })
        const [first, same] = await Promise.all([ask(store), ask(store)])
        expect(same).toBe(first)
        return first
      })
      if (good.is !== 'measured') throw new Error(good.stale.why)
      expect(good.figures).toMatchObject({ stale: null, summary: { completed: { inPeriod: 1 } } })

      await rename('improvement_metrics', 'improvement_metrics_away')
      const calculatedAt = time.toISOString()
      time = new Date(time.getTime() + 60_000)
      const since = time.toISOString()
      await within(async (store) => {
        for (let times = 0; times < 2; times += 1) {
          const stale = await ask(store)
          if (stale.is !== 'measured') throw new Error('the last known figures are lost')
          const why = expect.stringContaining('improvement_metrics')
          expect(stale.figures).toMatchObject({ calculatedAt, stale: { since, why } })
          expect(stale.figures.summary).toEqual(good.figures.summary)
          expect(stale.figures.agents.find(({ agentId }) => agentId === REVIEW_AGENT)).toMatchObject({
            calculatedAt,
            stale: { since, why },
          })
          time = new Date(time.getTime() + 60_000)
        }
        // Nothing else suffers: the crew goes on.
        expect(await store.items.queue(10)).toHaveLength(1)
        const other: MetricsMemory = new Map()
        const none = await runMetrics(
          {
            store,
            now: () => time,
            config: () => sampleConfig(),
            onFailing: () => undefined,
            onMended: () => undefined,
          },
          other,
          '24h',
        )
        expect(none).toMatchObject({
          is: 'unknown',
          stale: { why: expect.stringContaining('improvement_metrics') },
        })
      })
      expect(said).toEqual(['failing'])

      await rename('improvement_metrics_away', 'improvement_metrics')
      await within(async (store) => {
        expect(await ask(store)).toMatchObject({ figures: { stale: null, calculatedAt: time.toISOString() } })
      })
      expect(said).toEqual(['failing', 'mended'])
    },
  )

  test('a look is no more than a look: the transaction takes no writes', async (context) => {
    const store = await openAt(place(context))
    const { now } = await newCrew(store)
    const look = store.tx(async () => {
      await store.metrics.tally({ now, since: now })
      await addItem(store)
    })
    await expect(look).rejects.toThrow(/read-only transaction/)
    await store.close()
  })
})
