import { expect, test } from 'vitest'
import { figuresOf, printTable, quantile, type Row, sectionsOf } from './table.ts'

const row: Row = {
  id: 'x',
  program: 'p',
  kind: 'boundary',
  origin: 'hand',
  faults: 'single',
  side: 'tuning',
  outcome: 'plausible',
  reason: null,
  judgements: ['correct'],
  candidates: 10,
  firstGreenSeconds: 1,
  seconds: 2,
}

test('a first patch that only the held-out suite refuses is wrong but green, and the second may still be correct', () => {
  const figures = figuresOf([
    row,
    { ...row, judgements: ['wrong', 'correct'], candidates: 30, firstGreenSeconds: 3 },
    { ...row, outcome: 'none', judgements: [], candidates: 20, firstGreenSeconds: null },
    { ...row, judgements: ['not_applied', 'correct'], candidates: 40 },
    { ...row, outcome: 'failed', judgements: [], candidates: 0, firstGreenSeconds: null },
  ])
  expect(figures).toEqual({
    bugs: 5,
    plausible: 2,
    correctFirst: 1,
    correctTop5: 3,
    wrongButGreen: 1,
    failed: 1,
    candidates: { median: 20, p90: 40 },
    firstGreenSeconds: { median: 1, p90: 3 },
  })
})

test('quantiles take the nearest rank', () => {
  expect([0.1, 0.5, 0.9, 1].map((part) => quantile([4, 1, 3, 2], part))).toEqual([1, 2, 4, 4])
  expect(quantile([], 0.5)).toBeNull()
})

test('the two sides are printed apart', () => {
  const sections = sectionsOf([row, { ...row, side: 'aside', origin: 'tool', kind: 'EqualityOperator' }])
  const text = printTable(sections)
  expect(sections.map((section) => section.title)).toEqual(['tuning (two thirds)', 'set aside (one third)'])
  expect(text).toContain('hand: boundary')
  expect(text).toContain('tool: EqualityOperator')
})
