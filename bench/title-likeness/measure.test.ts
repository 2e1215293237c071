import { expect, test } from 'vitest'
import { crossed, measure, OURS } from './measure.ts'
import { PAIRS } from './pairs.ts'

test('over 0.8 nearly all that is called the same is the same, and half of what is the same is called so', () => {
  expect(PAIRS.length).toBeGreaterThan(240)
  const ours = measure().filter(({ method }) => method === OURS)
  expect(ours).toHaveLength(2)
  for (const { precision, recall } of ours) {
    expect(precision).toBeGreaterThanOrEqual(0.97)
    expect(recall).toBeGreaterThanOrEqual(0.5)
  }
})

test('no peer has the same precision and recall on either half, at 0.8 or at the limit that is best for it', () => {
  const scores = measure()
  for (const { side, method, precision, recall } of scores.filter((score) => score.method !== OURS)) {
    const ours = scores.find((score) => score.side === side && score.method === OURS)
    const isBehind = (precision ?? 0) < (ours?.precision ?? 0) || recall < (ours?.recall ?? 0)
    expect(isBehind, `${method}, ${side}`).toBe(true)
  }
})

test('of all other pairs of these titles next to none is called the same', () => {
  const { pairs, called } = crossed()
  expect(pairs).toBeGreaterThan(100_000)
  expect(called.length).toBeLessThan(20)
})
