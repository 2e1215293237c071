import { expect, test } from 'vitest'
import { nearness } from './nearness.ts'

test.each([
  ['the same number', 3, 3, 1],
  ['another number', 3, 4, 0],
  ['nothing instead of a list', undefined, [1, 2], 0],
  ['half of a list', [1, 2, 3, 4], [1, 2, 4, 3], 0.5],
  ['a list that is too short', [1], [1, 2], 0.5],
  ['a list with too much', [1, 2, 3, 4], [1, 2], 0.5],
  ['empty lists in a record', { a: [], b: 1 }, { a: [], b: 2 }, 0.5],
  ['a record in a record', { a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1, c: 0 }, d: 0 }, 1 / 3],
  ['a map', new Map([['a', 1]]), new Map([['a', 2]]), 0],
  ['a set', new Set(['a', 'b']), new Set(['a']), 0.5],
  ['both ends of a text', 'one 2 three', 'one two three', 10 / 14],
])('%s', (_, actual, expected, near) => {
  expect(nearness(actual, expected)).toBeCloseTo(near)
})

test('a value that cannot be read is not near', () => {
  const hostile = {
    get a(): number {
      throw new Error('no')
    },
  }
  expect(nearness(hostile, { a: 1 })).toBe(0)
})
