import { expect, test } from 'vitest'
import { median, perSecond, ratioOf, ratiosOf, shown, sumOf, times, verdict } from './comparison.ts'

test.each([
  [10, 5, 2],
  [0, 5, 0],
  [10, 0, null],
  [null, 5, null],
  [5, null, null],
] as const)('%s over %s is %s', (a, b, expected) => {
  expect(ratioOf(a, b)).toBe(expected)
})

test('pairs are compared one by one, by their middles, and all together', () => {
  const pairs = [
    { theirs: 100, ours: 1 },
    { theirs: 40, ours: 20 },
    { theirs: 60, ours: 10 },
  ]
  expect(ratiosOf(pairs)).toEqual({ pairs: 3, medianRatio: 6, ratioOfMedians: 6, ratioOfSums: 200 / 31 })
  expect(ratiosOf([])).toEqual({ pairs: 0, medianRatio: null, ratioOfMedians: null, ratioOfSums: null })
})

test('the middle of an even number of values is the lower one', () => {
  expect(median([4, 1, 3, 2])).toBe(2)
  expect(median([])).toBe(null)
})

test('rates are added before they are divided', () => {
  const one = { candidates: 100, timedOut: 2, searchSeconds: 1, wholeSeconds: 4 }
  const other = { candidates: 300, timedOut: 1, searchSeconds: 3, wholeSeconds: 4 }
  expect(sumOf([one, other])).toEqual({ candidates: 400, timedOut: 3, searchSeconds: 4, wholeSeconds: 8 })
  expect(sumOf([one, { ...other, timedOut: null }]).timedOut).toBe(null)
  expect(perSecond(sumOf([one, other]))).toEqual({ searching: 100, whole: 50 })
  expect(perSecond(sumOf([]))).toEqual({ searching: null, whole: null })
})

test('what is printed', () => {
  expect([times(null), times(2.04), times(99.6)]).toEqual(['-', '2.0 x', '100 x'])
  expect(shown({ candidates: 7, green: true })).toBe('7')
  expect(shown({ candidates: 7, green: false })).toBe('>7')
  expect(verdict(3, 'target 5 x', false)).toBe('target 5 x: 3.0 x, not reached')
  expect(verdict(null, 'target 5 x', false)).toBe('target 5 x: not measured')
})
