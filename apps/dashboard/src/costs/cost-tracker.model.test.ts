import { CostTotals } from '@treadle/contracts/cost'
import { expect, test } from 'vitest'
import { costParts, holdBanner, meterOf } from './cost-tracker.model.ts'

function totals(given: Partial<CostTotals> = {}): CostTotals {
  return CostTotals.parse({
    period: 'daily',
    startsAt: '2026-11-15T00:00:00.000Z',
    endsAt: '2026-11-16T00:00:00.000Z',
    totalUSD: 12.34,
    limitUSD: 50,
    reservedUSD: 0,
    remainingUSD: 37.66,
    percent: 24.7,
    label: '$12.34 / $50.00 (24.7%)',
    health: 'healthy',
    budgetHealth: 'healthy',
    hold: { is: 'none' },
    assumedUSD: 0,
    calls: 0,
    tokens: { input: 0, output: 0 },
    agents: [],
    items: [],
    ...given,
  })
}

test('a meter says the label, how full it is, and in a sign and in words what the colour says', () => {
  expect(meterOf(totals())).toMatchObject({
    name: 'Today',
    label: '$12.34 / $50.00 (24.7%)',
    filled: 24.7,
    sign: '✓',
  })
  const over = meterOf(totals({ period: 'monthly', percent: 180, health: 'critical' }))
  expect(over).toMatchObject({
    name: 'This month',
    filled: 100,
    sign: '‼',
    words: 'less than a quarter left',
  })
  expect(meterOf(totals({ health: 'warning' })).sign).toBe('!')
})

test('what the money went into has a name, also where the item is not known', () => {
  const sum = { calls: 2, tokens: { input: 1, output: 1 } }
  const items = [
    { projectNumber: 1, itemNumber: 3, costUSD: 2, ...sum },
    { projectNumber: 1, itemNumber: null, costUSD: 0.005, ...sum },
  ]
  expect(costParts({ items }, [])).toMatchObject([
    { name: '#3', cost: '$2.00', calls: 2 },
    { name: 'no item', cost: '$0.0050' },
  ])
})

test('a hold is told with what it stops and why', () => {
  expect(holdBanner({ is: 'none' })).toBeNull()
  expect(holdBanner({ is: 'claims', why: 'the daily budget is nearly used up' })).toMatchObject({
    tone: 'attention',
    why: 'The daily budget is nearly used up.',
  })
  expect(holdBanner({ is: 'all', why: 'x' })).toMatchObject({
    tone: 'bad',
    strong: 'All agents are stopped.',
  })
})
