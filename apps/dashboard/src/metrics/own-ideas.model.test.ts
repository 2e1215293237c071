import type { IdeaMetrics } from '@treadle/contracts/metrics-report'
import { expect, test } from 'vitest'
import { ideaFacts } from './own-ideas.model.ts'

const none: IdeaMetrics = {
  generated: 0,
  merged: 0,
  withdrawn: 0,
  refused: 0,
  nothing: 0,
  refusedShare: null,
  mergedShare: null,
  withdrawnShare: null,
  perWeekAndCategory: null,
  categoryCoverage: null,
  lookCostUSD: 0,
  costPerMergedUSD: null,
  ofCompleted: null,
  circleMs: null,
}

test('a crew that has not looked for improvements has nothing to show', () => {
  expect(ideaFacts(none)).toEqual([])
})

test('what was made, merged and refused is shown with its shares and its cost', () => {
  const facts = ideaFacts({
    ...none,
    generated: 4,
    merged: 3,
    withdrawn: 1,
    refused: 2,
    nothing: 1,
    mergedShare: 0.75,
    withdrawnShare: 0.25,
    refusedShare: 1 / 3,
    perWeekAndCategory: 2,
    categoryCoverage: 3 / 21,
    costPerMergedUSD: 0.5,
    circleMs: 90_000,
  })
  expect(facts.map(({ name, value }) => [name, value])).toEqual([
    ['Made', '4'],
    ['Merged', '3 (75%)'],
    ['Refused', '2 (33%)'],
    ['Cost for a merged one', '$0.50'],
    ['Categories looked at', '14%'],
    ['From work to its own work', '1 min 30 s'],
  ])
})
