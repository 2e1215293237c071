import { CrewMetrics } from '@treadle/contracts/metrics'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import type { AgentTally, Counted, LoopTally, Tallies } from '../../ports/metrics.ts'
import { crewMetrics, levelOf } from './rates.ts'
import { staleAfter, withStale } from './stale.ts'

const NOW = new Date('2026-03-31T12:00:00.000Z')
const DAY = 86_400_000
const target = { min: 3, max: 10 }

const NOTHING: Counted = {
  completed: { total: 0, last24h: 0, last7d: 0, inPeriod: 0 },
  cycleMs: 0,
  cycles: 0,
  firstReviews: { approved: 0, decided: 0 },
  reviews: 0,
  reviewedItems: 0,
  merges: { passed: 0, failed: 0 },
  errors: 0,
  crashes: 0,
  items: 0,
  itemsCostUSD: 0,
  firstPass: { sum: 0, runs: 0 },
}
type TallyParts = Partial<Counted & Omit<AgentTally, 'own' | 'all'>>
/** Of one that was never reset. */
const tally = ({ agentId, since, costUSD, busyMs, knownMs, ...counted }: TallyParts = {}): AgentTally => ({
  agentId: agentId ?? 'agent-1',
  since: since ?? new Date(NOW.getTime() - 7 * DAY),
  costUSD: costUSD ?? 0,
  busyMs: busyMs ?? 0,
  knownMs: knownMs ?? 0,
  own: { ...NOTHING, ...counted },
  all: { ...NOTHING, ...counted },
})
const loop: LoopTally = { queueDepth: 0, handoffMs: 0, handoffs: 0, circle: null, categories: null }
const measured = (given: Partial<Tallies>) =>
  crewMetrics({ agents: [], items: 0, loop, ...given }, { period: '7d', now: NOW, target })

verifies('ORCH-4.5-5', 'a queue of 3 to 10 is healthy, fewer is low, more is high', () => {
  const levels = [0, 2, 3, 10, 11, 500].map((depth) => levelOf(depth, target))
  expect(levels).toEqual(['low', 'low', 'healthy', 'healthy', 'high', 'high'])
  expect(levelOf(11, { min: 3, max: 50 })).toBe('healthy')
})

test('rates of nothing are null, of something they are numbers', () => {
  const [idle] = measured({ agents: [tally()] }).agents
  expect(idle).toMatchObject({
    averageCycleMs: null,
    reviewPassRate: null,
    reviewsPerItem: null,
    mergePassRate: null,
    errorsPerItem: null,
    costPerItemUSD: null,
    uptime: null,
    firstPassSuccess: null,
    completedPerDay: 0,
    costUSD: 0,
  })
  const [busy] = measured({
    agents: [
      tally({
        completed: { total: 9, last24h: 1, last7d: 4, inPeriod: 4 },
        cycleMs: 12_000,
        cycles: 4,
        firstReviews: { approved: 3, decided: 4 },
        reviews: 5,
        reviewedItems: 4,
        merges: { passed: 4, failed: 1 },
        errors: 2,
        items: 8,
        itemsCostUSD: 6,
        busyMs: 30,
        knownMs: 120,
        firstPass: { sum: 3, runs: 4 },
      }),
    ],
  }).agents
  expect(busy).toMatchObject({
    averageCycleMs: 3_000,
    reviewPassRate: 0.75,
    reviewsPerItem: 1.25,
    mergePassRate: 0.8,
    errorsPerItem: 0.25,
    costPerItemUSD: 1.5,
    uptime: 0.25,
    firstPassSuccess: 0.75,
    completedPerDay: 4 / 7,
  })
})

verifies('ORCH-S0-3', 'items a day are of the days that were measured, and of one at least', () => {
  const perDay = (days: number, inPeriod: number) => {
    const since = new Date(NOW.getTime() - days * DAY)
    const completed = { total: inPeriod, last24h: 0, last7d: 0, inPeriod }
    return measured({ agents: [tally({ since, completed })] }).agents[0]?.completedPerDay
  }
  expect([perDay(7, 21), perDay(2, 3), perDay(0.1, 2), perDay(0, 0)]).toEqual([3, 1.5, 2, 0])
})

verifies(
  'AC-5.4.d',
  'the summary is of the sums: items of all who build, money and errors of all, no mean of means',
  () => {
    const { summary } = measured({
      items: 3,
      agents: [
        tally({
          completed: { total: 10, last24h: 1, last7d: 9, inPeriod: 9 },
          cycleMs: 9_000,
          cycles: 9,
          costUSD: 0.1,
          itemsCostUSD: 9,
          errors: 1,
          busyMs: 10,
          knownMs: 100,
        }),
        tally({
          agentId: 'agent-2',
          completed: { total: 1, last24h: 1, last7d: 1, inPeriod: 1 },
          cycleMs: 11_000,
          cycles: 1,
          costUSD: 0.2,
          itemsCostUSD: 1,
          busyMs: 90,
          knownMs: 100,
        }),
        tally({
          agentId: 'review-agent',
          completed: { total: 50, last24h: 50, last7d: 50, inPeriod: 50 },
          cycleMs: 50,
          cycles: 50,
          costUSD: 0.000_001,
          itemsCostUSD: 7,
          errors: 2,
          crashes: 1,
          items: 50,
        }),
      ],
    })
    expect(summary).toMatchObject({
      completed: { total: 11, last24h: 2, last7d: 10, inPeriod: 10 },
      averageCycleMs: 2_000,
      costUSD: 0.300_001,
      costPerItemUSD: 1,
      errors: 3,
      crashes: 1,
      errorsPerItem: 1,
      uptime: 0.5,
      completedPerDay: 10 / 7,
    })
    expect(measured({}).summary.completedPerDay).toBeNull()
  },
)

test('a reset leaves the crew what it has done, and the agent what it has spent', () => {
  const before = tally({ completed: { total: 3, last24h: 1, last7d: 3, inPeriod: 3 }, costUSD: 4, errors: 2 })
  const { agents, summary } = measured({ agents: [{ ...before, own: NOTHING }] })
  expect(agents[0]).toMatchObject({ tasksCompleted: { total: 0 }, errors: 0, costUSD: 4 })
  expect(summary).toMatchObject({ completed: { total: 3, inPeriod: 3 }, errors: 2, costUSD: 4 })
})

test('the loop has words for what cannot be measured yet, and shares for what can', () => {
  expect(measured({}).loop).toMatchObject({
    handoffGapMs: null,
    cycleCompleteness: null,
    categoryCoverage: null,
    target,
  })
  const whole = { queueDepth: 4, handoffMs: 90, handoffs: 3, circle: { agents: 4, whole: 1 }, categories: 7 }
  expect(measured({ loop: whole }).loop).toMatchObject({
    handoffGapMs: 30,
    cycleCompleteness: 0.25,
    categoryCoverage: 7 / 21,
    level: 'healthy',
  })
  expect(measured({ loop: { ...loop, circle: { agents: 0, whole: 0 } } }).loop.cycleCompleteness).toBeNull()
})

test('every figure fits the contract, and stale ones keep the moment of their calculation', () => {
  const fresh = measured({ agents: [tally()] })
  expect(CrewMetrics.parse(fresh)).toEqual(fresh)
  const stale = staleAfter(null, { why: 'x'.repeat(5_000), now: NOW })
  expect(CrewMetrics.parse(withStale(fresh, stale)).agents[0]).toMatchObject({
    calculatedAt: fresh.calculatedAt,
    stale: { since: NOW.toISOString() },
  })
  const later = new Date(NOW.getTime() + DAY)
  expect(staleAfter(stale, { why: '', now: later })).toEqual({ since: stale.since, why: 'unknown' })
})
