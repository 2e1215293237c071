// What the database counts and what the flow makes of it, on both databases.
import { randomUUID } from 'node:crypto'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, type TestContext, test } from 'vitest'
import {
  addItem,
  become,
  DAY,
  failedMerge,
  HOUR,
  happen,
  landed,
  measure,
  measureAgent,
  newAgent,
  newCrew,
  review,
  spend,
  work,
} from './measured.ts'

describe.each(DRIVERS)('metrics on the %s database', (driver) => {
  const open = useStore(driver)

  const crew = async (context: TestContext) => newCrew(await open(context))

  verifies(
    ['ORCH-5.4-1', 'ORCH-5.4-2', 'ORCH-5.4-5', 'AC-5.4.d'],
    'items are counted when they are done, in total and rolling; cycle time and cost are of those',
    async (context) => {
      const { store, now, ago, one, two } = await crew(context)
      const times = [
        { agentId: one, claimed: 10 * HOUR, done: 8 * HOUR, usd: 1.25 },
        { agentId: one, claimed: 3 * DAY, done: 2 * DAY, usd: 0.5 },
        { agentId: one, claimed: 21 * DAY, done: 20 * DAY, usd: 4 },
        { agentId: one, claimed: 50 * DAY, done: 49 * DAY, usd: 9 },
        { agentId: two, claimed: 5 * HOUR, done: HOUR, usd: 0.000_001 },
      ]
      for (const { agentId, claimed, done, usd } of times) {
        const item = await addItem(store)
        const runId = await work(store, { item, agentId, from: ago(claimed), to: ago(done + HOUR / 2) })
        await spend(store, { item, agentId, usd, at: ago(done + HOUR) })
        await spend(store, { item, agentId: 'review-agent', usd: 0.25, at: ago(done + HOUR / 4) })
        await happen(store, { at: ago(done), event: landed, item, runId })
      }
      // Delivered and not merged yet is not completed.
      const open = await addItem(store)
      await work(store, { item: open, agentId: one, from: ago(2 * HOUR), to: ago(HOUR) })
      await spend(store, { item: open, agentId: one, usd: 3, at: ago(HOUR) })

      const day = await measureAgent(store, one, now, '24h')
      expect(day.tasksCompleted).toEqual({ total: 4, last24h: 1, last7d: 2, inPeriod: 1 })
      expect(day.averageCycleMs).toBe(2 * HOUR)
      expect(day.costPerItemUSD).toBe(1.5)
      expect(day.costUSD).toBe(4.25)
      const week = await measureAgent(store, one, now, '7d')
      expect(week.tasksCompleted).toEqual({ total: 4, last24h: 1, last7d: 2, inPeriod: 2 })
      expect(week.averageCycleMs).toBe(13 * HOUR)
      expect(week.costPerItemUSD).toBe(1.125)
      const month = await measureAgent(store, one, now, '30d')
      expect(month.tasksCompleted.inPeriod).toBe(3)
      expect(month.averageCycleMs).toBeCloseTo((50 * HOUR) / 3, 0)

      const { summary } = await measure(store, now, '7d')
      expect(summary.completed).toMatchObject({ last24h: 2, last7d: 3, inPeriod: 3 })
      expect(summary.averageCycleMs).toBe(10 * HOUR)
      expect(summary.costUSD).toBe(5.500_001)
      expect(summary.costPerItemUSD).toBeCloseTo(2.500_001 / 3, 9)
    },
  )

  verifies(
    ['ORCH-5.4-3', 'ORCH-S0-4', 'ORCH-S0-6'],
    'the first review of an item counts for who delivered it; reviews and red merges are counted too',
    async (context) => {
      const { store, now, ago, one, two } = await crew(context)
      const first = await addItem(store)
      const run = await work(store, { item: first, agentId: one, from: ago(9 * HOUR), to: ago(8 * HOUR) })
      const by = 'review-agent'
      await review(store, {
        item: first,
        runId: run,
        agentId: one,
        cycle: 1,
        status: 'approved',
        by,
        at: ago(6 * HOUR),
      })
      await happen(store, { at: ago(5 * HOUR), event: landed, item: first, runId: run })
      // Sent back, and then approved: the second review does not mend the first.
      const second = await addItem(store)
      const early = await work(store, { item: second, agentId: one, from: ago(9 * HOUR), to: ago(8 * HOUR) })
      await review(store, {
        item: second,
        runId: early,
        agentId: one,
        cycle: 1,
        status: 'rejected',
        by,
        at: ago(7 * HOUR),
      })
      const late = await work(store, { item: second, agentId: two, from: ago(6 * HOUR), to: ago(5 * HOUR) })
      await review(store, {
        item: second,
        runId: late,
        agentId: two,
        cycle: 2,
        status: 'approved',
        by: 'owner',
        at: ago(4 * HOUR),
      })
      await happen(store, { at: ago(3 * HOUR), event: failedMerge, item: second, runId: late })
      await happen(store, { at: ago(2 * HOUR), event: landed, item: second, runId: late })
      // Withdrawn while it waited: nobody has judged it.
      const third = await addItem(store)
      const gone = await work(store, { item: third, agentId: one, from: ago(3 * HOUR), to: ago(2 * HOUR) })
      await review(store, {
        item: third,
        runId: gone,
        agentId: one,
        cycle: 1,
        status: 'rejected',
        by: 'withdrawn by owner',
        at: ago(HOUR),
      })
      const item = await store.items.find(third)
      if (item !== null) await store.items.save({ ...item, state: 'withdrawn', status: 'withdrawn' })

      expect(await measureAgent(store, one, now, '24h')).toMatchObject({
        reviewPassRate: 0.5,
        reviewsPerItem: 1,
        mergePassRate: 1,
        averageCycleMs: 4 * HOUR,
      })
      expect(await measureAgent(store, two, now, '24h')).toMatchObject({
        reviewPassRate: null,
        reviewsPerItem: 2,
        mergePassRate: 0.5,
        averageCycleMs: 4 * HOUR,
      })
      const { summary } = await measure(store, now, '24h')
      expect(summary).toMatchObject({ reviewPassRate: 0.5, reviewsPerItem: 1.5, completed: { inPeriod: 2 } })
      expect(summary.mergePassRate).toBeCloseTo(2 / 3)
      // What a reviewer completes are its reviews, from the claim to the verdict.
      expect(await measureAgent(store, by, now, '24h')).toMatchObject({
        role: 'review',
        tasksCompleted: { last24h: 2, last7d: 2, inPeriod: 2 },
        averageCycleMs: HOUR / 2,
        reviewPassRate: null,
      })
    },
  )

  verifies(
    'ORCH-5.4-4',
    'runs that came to nothing and crashes are errors for each item in hand; a red test on the way is none',
    async (context) => {
      const { store, now, ago, one, two } = await crew(context)
      const said = async (agentId: AgentId | null, event: TreadleEvent, state: string, back: number) => {
        const item = await addItem(store)
        const outcome = state === 'improving' ? 'success' : 'escalation'
        const runId = await work(store, {
          item,
          agentId: one,
          from: ago(back + HOUR),
          to: ago(back),
          outcome,
        })
        await happen(store, {
          at: ago(back),
          event,
          item,
          runId,
          state,
          ...(agentId === null ? {} : { agentId }),
        })
      }
      const red: TreadleEvent = { type: 'verify.failed', gates: [], why: 'red' }
      await said(one, red, 'improving', 2 * HOUR)
      await said(one, red, 'escalated', 3 * HOUR)
      await said(one, { type: 'build.failed', outcome: 'crashed', why: 'no' }, 'escalated', 4 * HOUR)
      // Said by the daemon, of the agent's run.
      await said(null, { type: 'deadline.passed', state: 'building' }, 'backlog', 5 * HOUR)
      await said(null, { type: 'claim.expired', why: 'silent' }, 'backlog', 6 * HOUR)
      // The daemon's own, or a reminder: no error of the agent.
      await said(null, { type: 'item.escalated', why: 'merge failed' }, 'escalated', 7 * HOUR)
      await said(null, { type: 'deadline.passed', state: 'in_review' }, 'in_review', 8 * HOUR)
      await said(one, { type: 'item.escalated', why: 'engine broke' }, 'escalated', 9 * HOUR)
      await happen(store, { at: ago(HOUR), agentId: one, event: { type: 'agent.crashed', why: 'killed' } })
      await happen(store, { at: ago(2 * DAY), agentId: one, event: { type: 'agent.crashed', why: 'old' } })
      const day = await measureAgent(store, one, now, '24h')
      expect(day).toMatchObject({ errors: 6, crashes: 1, errorsPerItem: 6 / 8 })
      expect(await measureAgent(store, one, now, '7d')).toMatchObject({ errors: 7, crashes: 2 })
      // Two agents with the same item in hand: one item.
      const shared = await addItem(store)
      for (const agentId of [one, two])
        await work(store, { item: shared, agentId, from: ago(HOUR), to: ago(HOUR / 2) })
      expect(await measureAgent(store, two, now, '24h')).toMatchObject({ errors: 0, errorsPerItem: 0 })
      expect((await measure(store, now, '24h')).summary.errorsPerItem).toBeCloseTo(6 / 9)
    },
  )

  verifies(
    'ORCH-5.4-6',
    'uptime is the share of the time in working, reviewing and ideating; none of it while no daemon ran',
    async (context) => {
      const { store, now, ago, one, two } = await crew(context)
      await become(store, one, 'working', ago(5 * DAY))
      await become(store, one, 'idle', ago(20 * HOUR))
      await become(store, one, 'reviewing', ago(14 * HOUR))
      await become(store, one, 'ideating', ago(13 * HOUR))
      await become(store, one, 'idle', ago(12 * HOUR))
      await become(store, one, 'working', ago(6 * HOUR))
      expect(await measureAgent(store, one, now, '24h')).toMatchObject({ uptime: 12 / 24 })
      // Nothing was recorded for three hours, then a daemon started: those do not count.
      await become(store, two, 'idle', ago(4 * HOUR))
      await happen(store, {
        at: ago(HOUR),
        event: { type: 'daemon.started', version: '1', store: 'embedded' },
      })
      await become(store, one, 'idle', ago(HOUR / 2))
      const { uptime } = await measureAgent(store, one, now, '24h')
      expect(uptime).toBeCloseTo((4 + 2 + 2.5) / 24, 6)
      expect((await measureAgent(store, one, now, '7d')).uptime).toBeCloseTo((5 * 24 - 20 + 2 + 2.5) / 168, 6)
      expect((await measureAgent(store, two, now, '24h')).uptime).toBe(0)
      // Of whom no status was ever recorded nothing is known.
      const unseen = newAgent()
      await store.agents.ensure(unseen, ago(DAY))
      expect((await measureAgent(store, unseen, now, '24h')).uptime).toBeNull()
    },
  )

  test('after a reset only what came later counts, and one that is new is measured from its beginning', async (context) => {
    const { store, now, ago, one } = await crew(context)
    for (const hours of [10, 2]) {
      const item = await addItem(store)
      const runId = await work(store, {
        item,
        agentId: one,
        from: ago((hours + 1) * HOUR),
        to: ago(hours * HOUR),
      })
      await spend(store, { item, agentId: one, usd: hours, at: ago(hours * HOUR) })
      await review(store, {
        item,
        runId,
        agentId: one,
        cycle: 1,
        status: 'approved',
        by: 'owner',
        at: ago(hours * HOUR),
      })
      await happen(store, { at: ago(hours * HOUR), event: landed, item, runId })
      await happen(store, {
        at: ago(hours * HOUR),
        agentId: one,
        event: { type: 'agent.crashed', why: 'killed' },
      })
      await store.improvementMetrics.record([
        {
          runId,
          agentId: one,
          metric: 'first_pass_success',
          value: 0,
          recordedAt: ago(hours * HOUR).toISOString(),
        },
      ])
    }
    await become(store, one, 'working', ago(10 * HOUR))
    await store.agents.patch(one, { metricsSince: ago(4 * HOUR) })
    expect(await measureAgent(store, one, now, '7d')).toMatchObject({
      tasksCompleted: { total: 1, last24h: 1, last7d: 1, inPeriod: 1 },
      // Money stays, whoever is reset.
      costUSD: 12,
      costPerItemUSD: 2,
      reviewPassRate: 1,
      errors: 1,
      errorsPerItem: 1,
      uptime: 1,
      firstPassSuccess: 0,
      measuredSince: ago(4 * HOUR).toISOString(),
      completedPerDay: 1,
    })
    // What the crew has done stays done.
    expect((await measure(store, now, '7d')).summary).toMatchObject({
      completed: { last24h: 2, inPeriod: 2 },
      costUSD: 12,
      costPerItemUSD: 6,
      reviewPassRate: 1,
      errors: 2,
      errorsPerItem: 1,
    })
    const fresh = newAgent()
    await store.agents.ensure(fresh, ago(3 * HOUR))
    await become(store, fresh, 'working', ago(HOUR))
    const { uptime, measuredSince } = await measureAgent(store, fresh, now, '30d')
    expect(uptime).toBeCloseTo(1 / 3, 9)
    expect(measuredSince).toBe(ago(3 * HOUR).toISOString())
  })

  verifies(
    'AGENT-SIA-33',
    'improvement metrics are kept as records, each figure of a run once, and make the first pass rate',
    async (context) => {
      const { store, now, ago, one } = await crew(context)
      const entry = (runId: string, value: number, hours: number) => ({
        runId,
        agentId: one,
        metric: 'first_pass_success' as const,
        value,
        recordedAt: ago(hours * HOUR).toISOString(),
      })
      const twice = randomUUID()
      await store.improvementMetrics.record([
        entry(twice, 1, 1),
        entry(randomUUID(), 0, 2),
        entry(randomUUID(), 0, 40),
      ])
      await store.improvementMetrics.record([entry(twice, 0, 1)])
      await store.improvementMetrics.record([{ ...entry(twice, 12, 1), metric: 'build_duration_minutes' }])
      expect((await measureAgent(store, one, now, '24h')).firstPassSuccess).toBe(0.5)
      expect((await measureAgent(store, one, now, '7d')).firstPassSuccess).toBeCloseTo(1 / 3)
      const kept = await store.improvementMetrics.list({ agentId: one, limit: 10 })
      expect(kept).toHaveLength(4)
      expect(kept.at(-1)?.value).toBe(0)
      expect(
        await store.improvementMetrics.list({ agentId: one, metric: 'build_duration_minutes', limit: 10 }),
      ).toEqual([{ ...entry(twice, 12, 1), metric: 'build_duration_minutes' }])
    },
  )

  test('a crew that has done nothing has figures, and rates of nothing are null', async (context) => {
    const { store, now, one } = await crew(context)
    expect(await measureAgent(store, one, now, '30d')).toMatchObject({
      tasksCompleted: { total: 0, last24h: 0, last7d: 0, inPeriod: 0 },
      averageCycleMs: null,
      reviewPassRate: null,
      reviewsPerItem: null,
      mergePassRate: null,
      errorsPerItem: null,
      costPerItemUSD: null,
      costUSD: 0,
      uptime: null,
      firstPassSuccess: null,
      errors: 0,
      crashes: 0,
    })
  })
})
