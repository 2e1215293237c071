// What a day, a week or a month has brought, counted on both databases from what is recorded anyway.
import { randomUUID } from 'node:crypto'
import type { Category } from '@treadle/contracts/categories'
import { THOUGHT_PROJECT } from '@treadle/contracts/cost'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { MetricsReport } from '@treadle/contracts/metrics-report'
import { runMetricsReport } from '@treadle/flow/supervise/metrics/report.run'
import { plannedRollback } from '@treadle/flow/supervise/orders/planned-rollback'
import { green, red, sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, type TestContext } from 'vitest'
import {
  addItem,
  become,
  DAY,
  HOUR,
  happen,
  landed,
  measure,
  newCrew,
  review,
  spend,
  work,
} from './measured.ts'

const reportOf = async (store: OpenStore, now: Date, period: '24h' | '7d' | '30d') =>
  MetricsReport.parse(
    await runMetricsReport(
      {
        store,
        now: () => now,
        config: () => sampleConfig({ agents: { dailyBudgetUSD: 10, monthlyBudgetUSD: 100 } }),
      },
      period,
    ),
  )

interface Look {
  readonly category: Category
  readonly outcome: 'project' | 'none' | 'duplicate'
  readonly at: Date
  readonly costUSD?: number
  readonly by?: AgentId
}

/** One look as it is recorded, with the item that came of it. */
async function look(store: OpenStore, { category, outcome, at, costUSD = 0, by }: Look): Promise<ItemRef> {
  const thought = randomUUID()
  const asked = { kind: 'category_idea', subject: category, engine: 'native', use: 'idea' } as const
  await store.thoughts.add(
    { id: thought, ...asked, system: '', prompt: 'p', schema: null, deadlineAt: null } as never,
    at,
  )
  await store.ideations.ask({ thought, category, attempt: 1, askedAt: at.toISOString() })
  const item = await addItem(store, [`category:${category}`])
  const isProject = outcome === 'project'
  await store.ideations.end(thought, { outcome, why: null, item: isProject ? item : null }, at)
  const made = { item, category, ideatedByAgentId: by ?? null, createdAt: at.toISOString() }
  if (isProject) await store.ideations.record(made, null)
  if (costUSD > 0)
    await store.ledger.log({
      id: randomUUID(),
      agentId: by ?? 'agent-1',
      projectNumber: THOUGHT_PROJECT,
      itemNumber: null,
      runId: null,
      thoughtId: thought,
      model: 'm',
      tokens: { input: 1, output: 1 },
      costUSD,
      assumed: false,
      timestamp: at.toISOString(),
    })
  return item
}

describe.each(DRIVERS)('a report on the %s database', (driver) => {
  const open = useStore(driver)
  const crew = async (context: TestContext) => newCrew(await open(context))

  verifies(
    ['ORCH-4.5-3'],
    'an agent came full circle that worked, whose delivery was reviewed, that ideated and worked again within a day',
    async (context) => {
      const { store, now, ago, one } = await crew(context)
      const item = await addItem(store)
      await become(store, one, 'working', ago(9 * HOUR))
      const runId = await work(store, { item, agentId: one, from: ago(9 * HOUR), to: ago(8 * HOUR) })
      await become(store, one, 'ideating', ago(6 * HOUR))
      await become(store, one, 'working', ago(5 * HOUR))
      expect((await measure(store, now, '24h')).loop.cycleCompleteness).toBe(0)
      const by = 'review-agent'
      await review(store, { item, runId, agentId: one, cycle: 1, status: 'approved', by, at: ago(7 * HOUR) })
      expect((await measure(store, now, '24h')).loop.cycleCompleteness).toBeGreaterThan(0)
    },
  )

  verifies(
    ['ORCH-S0-5', 'ORCH-4.4-5', 'ORCH-S4-13', 'ORCH-S4-14', 'ORCH-S4-15', 'AC-4.5.d'],
    'what the crew thought of itself is counted by week and category, with shares, cost, value and the time of a circle',
    async (context) => {
      const { store, now, ago, one } = await crew(context)
      const before = await addItem(store)
      await work(store, { item: before, agentId: one, from: ago(30 * HOUR), to: ago(29 * HOUR) })
      const merged = await look(store, {
        category: 'security',
        outcome: 'project',
        at: ago(28 * HOUR),
        costUSD: 0.5,
        by: one,
      })
      const runId = await work(store, {
        item: merged,
        agentId: one,
        from: ago(27 * HOUR),
        to: ago(26 * HOUR),
      })
      await spend(store, { item: merged, agentId: one, usd: 1.5, at: ago(26 * HOUR) })
      await happen(store, {
        at: ago(25 * HOUR),
        event: landed,
        item: merged,
        agentId: one,
        runId,
        state: 'done',
      })
      const found = await store.items.find(merged)
      if (found !== null)
        await store.items.save({ ...found, state: 'done', updatedAt: ago(25 * HOUR).toISOString() })
      await store.ideations.value(merged, { value: 8, by: 'ada' }, ago(24 * HOUR))
      const second = await look(store, { category: 'security', outcome: 'project', at: ago(20 * HOUR) })
      const gone = await store.items.find(second)
      if (gone !== null)
        await store.items.save({ ...gone, state: 'withdrawn', updatedAt: ago(HOUR).toISOString() })
      await look(store, { category: 'testing', outcome: 'duplicate', at: ago(19 * HOUR) })
      await look(store, { category: 'testing', outcome: 'none', at: ago(18 * HOUR) })
      // What was before the week is in no figure of it.
      await look(store, { category: 'scalability', outcome: 'project', at: ago(8 * DAY), costUSD: 3 })

      const week = await reportOf(store, now, '7d')
      expect(week.ideas).toEqual({
        generated: 2,
        merged: 1,
        withdrawn: 1,
        refused: 1,
        nothing: 1,
        refusedShare: 1 / 3,
        mergedShare: 0.5,
        withdrawnShare: 0.5,
        perWeekAndCategory: 1,
        categoryCoverage: 2 / 21,
        lookCostUSD: 0.5,
        costPerMergedUSD: 2,
        ofCompleted: 1,
        // From the claim thirty hours ago to the claim of its own idea three hours later.
        circleMs: 3 * HOUR,
      })
      expect(week).toMatchObject({ satisfaction: 0.8, valued: 1, completed: { now: 1 }, crashes: 0 })
      expect(week.costUSD.now).toBeCloseTo(2)
      expect(week.budgetUsed).toBeCloseTo(2 / 70)
      expect(week.pointsPerUSD).toBeCloseTo(4)
      expect(week.queue.level).toMatch(/low|healthy|high/)
      const tally = (await store.ideations.tally(now)).find(({ category }) => category === 'security')
      expect(tally?.weekly.reduce((sum, { generated }) => sum + generated, 0)).toBeGreaterThanOrEqual(2)
      const month = await reportOf(store, now, '30d')
      expect(month.ideas).toMatchObject({ generated: 3, lookCostUSD: 3.5 })
      const day = await reportOf(store, now, '24h')
      expect(day.ideas).toMatchObject({ generated: 1, merged: 0, mergedShare: 0 })
      expect(day.completed).toEqual({ now: 0, before: 1 })
    },
  )

  verifies(
    ['ORCH-S4-20', 'ORCH-S4-23'],
    'checks that got worse, and too little done two weeks in a row, are reasons to ask the owner for a rollback',
    async (context) => {
      const { store, now, ago, one } = await crew(context)
      const deliver = async (days: number, is: 'passed' | 'failed') => {
        const item = await addItem(store)
        const [from, to] = [ago(days * DAY + HOUR), ago(days * DAY)]
        const runId = await work(store, { item, agentId: one, from, to })
        await happen(store, { at: to, event: landed, item, agentId: one, runId, state: 'done' })
        await review(store, { item, runId, agentId: one, cycle: 1, status: 'approved', by: 'ada', at: to })
        const made = await store.reviews.latest(item)
        const gate = is === 'passed' ? green('linter_pass') : red('linter_pass')
        await store.reviews.patch(made?.id ?? 0, { checks: [gate], checkedAt: to.toISOString() } as never)
      }
      const reason = async () =>
        plannedRollback({ isOn: true, isOld: true, report: await reportOf(store, now, '7d') })?.reason ?? null
      expect(await reason()).toBeNull()
      for (const days of [8, 9, 10]) await deliver(days, 'passed')
      await deliver(1, 'passed')
      expect((await reportOf(store, now, '7d')).quality.linting).toEqual({ now: 1, before: 1 })
      // One in the last week after three in the week before, by two agents.
      expect(await reason()).toBe('targets')
      await deliver(2, 'failed')
      expect((await reportOf(store, now, '7d')).quality.linting).toEqual({ now: 0.5, before: 1 })
      expect(await reason()).toBe('quality')
    },
  )
})
