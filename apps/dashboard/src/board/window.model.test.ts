import { expect, test } from 'vitest'
import { rangeOf, scrollTo } from './window.model.ts'

test.each([
  [0, 600, 100, 10_000, { from: 0, to: 16 }],
  [500_000, 600, 100, 10_000, { from: 4_996, to: 5_016 }],
  [999_400, 600, 100, 10_000, { from: 9_988, to: 10_000 }],
  [0, 600, 100, 3, { from: 0, to: 3 }],
  // A list that has become shorter below the reader.
  [500_000, 600, 100, 20, { from: 16, to: 20 }],
  [-50, 600, 100, 0, { from: 0, to: 0 }],
] as const)('at %d of %d pixels, rows of %d, of %d', (...[scrolled, height, row, count, range]) => {
  expect(rangeOf(scrolled, height, row, count)).toEqual(range)
})

test('whatever is in sight is drawn, wherever one scrolls to', () => {
  for (let scrolled = 0; scrolled < 20_000; scrolled += 7) {
    const { from, to } = rangeOf(scrolled, 643, 97, 1_000)
    expect(from * 97).toBeLessThanOrEqual(scrolled)
    expect(to * 97).toBeGreaterThanOrEqual(scrolled + 643)
    expect(to - from).toBeLessThan(24)
  }
})

test('a row out of sight is scrolled to by as little as is needed', () => {
  expect(scrollTo(2, 0, 600, 100)).toBeNull()
  expect(scrollTo(2, 300, 600, 100)).toBe(200)
  expect(scrollTo(9, 0, 600, 100)).toBe(400)
})
