import type { LoopMetrics } from '@treadle/contracts/metrics'
import { expect, test } from 'vitest'
import { gaugeOf, loopFacts } from './loop.model.ts'

const empty: LoopMetrics = {
  queueDepth: 0,
  target: { min: 3, max: 10 },
  level: 'low',
  handoffGapMs: null,
  cycleCompleteness: null,
  categoryCoverage: null,
}

test('the queue is said with the aim, how well that is, and what to do', () => {
  const queue = (given: Partial<LoopMetrics>) => loopFacts({ ...empty, ...given })[0]
  expect(queue({})).toMatchObject({ value: '0 items', verdict: 'low', tone: 'attention' })
  expect(queue({})?.meaning).toContain('3 to 10')
  expect(queue({})?.meaning).toContain('Add items')
  expect(queue({ queueDepth: 3, level: 'healthy' })).toMatchObject({ verdict: 'healthy', tone: 'good' })
  expect(queue({ queueDepth: 11, level: 'high' })).toMatchObject({ value: '11 items', verdict: 'high' })
  expect(queue({ queueDepth: 1 })?.value).toBe('1 item')
})

test('what cannot be measured yet says why', () => {
  const [, ...rest] = loopFacts(empty)
  expect(rest.map(({ value, verdict }) => [value, verdict])).toEqual(
    Array.from({ length: 3 }, () => ['–', 'nothing to measure']),
  )
})

test('what is measured is said with its meaning', () => {
  const facts = loopFacts({
    ...empty,
    handoffGapMs: 65_000,
    cycleCompleteness: 0.5,
    categoryCoverage: 2 / 21,
  })
  expect(facts.map(({ name, value }) => [name, value])).toEqual([
    ['Queue depth', '0 items'],
    ['Cycle time of the loop', '1 min 5 s'],
    ['Cycle completeness', '50%'],
    ['Category coverage', '10%'],
  ])
})

test.each([
  { queueDepth: 0, depth: 0 },
  { queueDepth: 13, depth: 100 },
  { queueDepth: 400, depth: 100 },
])('a queue of $queueDepth fills $depth of the gauge', ({ queueDepth, depth }) => {
  const gauge = gaugeOf({ ...empty, queueDepth })
  expect(gauge.depth).toBe(depth)
  expect(gauge.from).toBeCloseTo((3 / 13) * 100)
  expect(gauge.to).toBeCloseTo((10 / 13) * 100)
})
