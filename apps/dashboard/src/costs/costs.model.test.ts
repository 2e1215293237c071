import { expect, test } from 'vitest'
import {
  adviceWords,
  agentRows,
  budgetFacts,
  captionOf,
  chartOf,
  compactNumber,
  DEAREST_FIRST,
  itemRows,
  type SpendRow,
  share,
  sortedBy,
  sortRows,
} from './costs.model.ts'

const days = [
  { day: '2026-11-08', usd: 0, byAgent: [] },
  {
    day: '2026-11-09',
    usd: 3.25,
    byAgent: [
      { agentId: 'agent-10', usd: 1.25 },
      { agentId: 'agent-2', usd: 2 },
    ],
  },
  { day: '2026-11-10', usd: 0.75, byAgent: [{ agentId: 'agent-10', usd: 0.75 }] },
]

test('a bar for each day, a layer for each agent, also on days without it', () => {
  expect(chartOf(days, 50)).toEqual({
    bars: [
      { short: '8 Nov', long: 'Sun, 8 Nov 2026' },
      { short: '9 Nov', long: 'Mon, 9 Nov 2026' },
      { short: '10 Nov', long: 'Tue, 10 Nov 2026' },
    ],
    layers: [
      { name: 'agent-2', colour: 0, values: [0, 2, 0] },
      { name: 'agent-10', colour: 1, values: [0, 1.25, 0.75] },
    ],
    limit: 50,
  })
  expect(chartOf(days.slice(0, 1), 50).layers).toEqual([{ name: 'all agents', colour: 0, values: [0] }])
})

test('the chart in a sentence', () => {
  expect(captionOf(days, 50)).toBe(
    '$4.00 in the last 3 days, $1.33 a day on average. Most expensive day: Mon, 9 Nov 2026, $3.25.',
  )
  expect(captionOf(days, 3)).toContain('1 day was above the daily limit of $3.00.')
  expect(captionOf(days, 0.5)).toContain('2 days were above')
  expect(captionOf(days.slice(0, 1), 50)).toBe('No spend in the last 1 days.')
})

const sum = { calls: 2, tokens: { input: 900, output: 100 } }

test('a row leads to an item only if it is known', () => {
  const items = [
    { projectNumber: 1, itemNumber: 3, costUSD: 2, ...sum },
    { projectNumber: 1, itemNumber: null, costUSD: 1, ...sum },
  ]
  expect(itemRows({ items }, [])).toMatchObject([
    { name: '#3', item: null, costUSD: 2, tokens: 1_000 },
    { name: 'no item', item: null },
  ])
  const known = { projectNumber: 1, number: 3, title: 'Greet people' } as never
  expect(itemRows({ items }, [known])[0]).toMatchObject({
    name: '#3 Greet people',
    item: { projectNumber: 1, number: 3 },
  })
  expect(agentRows({ agents: [{ agentId: 'agent-1', costUSD: 2, ...sum }] })).toMatchObject([
    { name: 'agent-1', calls: 2 },
  ])
})

test('rows are sorted by figure or by name, and turned round by the same head', () => {
  const row = (name: string, costUSD: number): SpendRow => ({
    key: name,
    name,
    item: null,
    costUSD,
    calls: 0,
    tokens: 0,
  })
  const rows = [row('agent-10', 2), row('agent-9', 2), row('agent-1', 5)]
  const names = (sorting: typeof DEAREST_FIRST) => sortRows(rows, sorting).map(({ name }) => name)
  expect(names(DEAREST_FIRST)).toEqual(['agent-1', 'agent-9', 'agent-10'])
  const byName = sortedBy(DEAREST_FIRST, 'name')
  expect(names(byName)).toEqual(['agent-1', 'agent-9', 'agent-10'])
  expect(names(sortedBy(byName, 'name'))).toEqual(['agent-10', 'agent-9', 'agent-1'])
  expect(sortedBy(byName, 'calls')).toEqual({ by: 'calls', down: true })
})

test.each([
  [1, 4, '25%'],
  [0.01, 4, '<1%'],
  [0, 4, '0%'],
  [0, 0, '0%'],
])('%d of %d is %s', (part, whole, words) => {
  expect(share(part, whole)).toBe(words)
})

test('large counts are short', () => {
  expect([compactNumber(950), compactNumber(1_234_567)]).toEqual(['950', '1.2M'])
})

test('advice says how far the limit can come down, or that it stays, and why', () => {
  const base = { limitUSD: 50, days: [], why: 'the dearest day cost $4.00' }
  expect(adviceWords({ ...base, suggestedUSD: 6 })).toEqual({
    head: 'The daily limit could come down from $50.00 to $6.00.',
    why: 'The dearest day cost $4.00.',
  })
  expect(adviceWords({ ...base, suggestedUSD: null }).head).toBe('No daily limit below $50.00 is suggested.')
})

test('beside a budget stands what is left, set aside and assumed', () => {
  expect(budgetFacts({ remainingUSD: -3, reservedUSD: 0, assumedUSD: 0, calls: 1 })).toEqual([
    '$0.00 left',
    '1 call',
  ])
  expect(budgetFacts({ remainingUSD: 5, reservedUSD: 0.5, assumedUSD: 0.25, calls: 4 })).toEqual([
    '$5.00 left',
    '4 calls',
    '$0.50 set aside for calls under way',
    '$0.25 of it assumed, until the real figure is known',
  ])
})
