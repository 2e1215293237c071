import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test.each([
  ['-3', '0', 'below zero'],
  ['5', '4', 'one too many'],
  ['3', '4', 'one too few'],
  ['7', '-7', 'the other sign'],
  ['2.5', '2', 'not rounded'],
  ['90', '60', 'too large'],
  ['9', '60', 'too small'],
  ["'Ada'", "'ada'", 'other letter case'],
  ["'a b'", "'ab'", 'other spaces'],
  ["'ab'", "'abc'", 'a part of the text is missing'],
  ["'abc'", "'ab'", 'more text than wanted'],
  ["'abc'", "'xyz'", 'another text'],
  ["[ 'b', 'a' ]", "[ 'a', 'b' ]", 'another order'],
  ['[ 1 ]', '[ 1, 2 ]', 'items are missing'],
  ['[ 1, 2, 3 ]', '[ 1, 2 ]', 'items too many'],
  ['[ 1, 3 ]', '[ 1, 2 ]', 'other items'],
  ['undefined', '[ 1 ]', 'undefined instead of a list'],
  ['false', 'true', 'false instead of true'],
  ['NaN', '4', 'NaN instead of a number'],
  ['{ a: 1 }', '{ a: 2 }', null],
])('%s where %s was expected: %s', (actual, expected, said) => {
  expect(differenceOf({ actual, expected })).toBe(said)
})

test('a failure that compares nothing has no difference', () => {
  expect(differenceOf({ actual: null, expected: null })).toBeNull()
})
