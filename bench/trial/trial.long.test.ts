// A part of the benchmark: luck promotes few useless lessons, and most that help a lot are found out.
import { expect, test } from 'vitest'
import { FALSE_PROMOTIONS_MAX, falsePromotions, measure, promotedBy } from './measure.ts'

test('planned looks keep luck out, and find what helps', () => {
  const trials = measure(600)
  // Three standard errors of 600 lives above what the whole benchmark asks for.
  expect(falsePromotions(trials)).toBeLessThan(FALSE_PROMOTIONS_MAX + 0.027)
  const watched = promotedBy({ lives: trials.watched }, Number.POSITIVE_INFINITY)
  expect(watched).toBeGreaterThan(2 * falsePromotions(trials))
  for (const row of trials.rows) {
    const { effect } = row.planted
    if (effect === 0.3) expect(promotedBy(row, 200)).toBeGreaterThan(0.85)
    if (effect === -0.3)
      expect(row.lives.filter(({ end }) => end === 'retire').length).toBeGreaterThan(0.9 * row.lives.length)
  }
})
