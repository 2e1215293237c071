import { expect, test } from 'vitest'
import { showValue } from './show-value.ts'

test('equal values have one spelling, whatever the order of their fields', () => {
  expect(showValue({ b: [1, undefined], a: 'x' })).toBe(showValue({ a: 'x', b: [1, undefined] }))
  expect(showValue(0.1 + 0.2)).toBe(showValue(0.3))
  expect(showValue(-0)).toBe('0')
  expect(showValue(new Map([[1, new Set(['a'])]]))).toBe('Map {[1, Set {"a"}]}')
  expect(showValue(new Date(5))).not.toBe(showValue(new Date(6)))
  expect(showValue('1')).not.toBe(showValue(1))
  expect(showValue(new (class Point {})())).not.toBe(showValue({}))
})

test('what is endless, large or wants to be asked is shown all the same', () => {
  const circle: unknown[] = []
  circle.push(circle)
  expect(showValue(circle)).toBe('[[circular]]')
  expect(showValue(new Proxy({}, {}))).toBe('[proxy]')
  const trap = {
    get asked() {
      throw new Error('asked')
    },
  }
  expect(showValue(trap)).toBe('{ "asked": [getter] }')
  expect(showValue(Array.from({ length: 1e6 }, () => 0)).length).toBeLessThan(20_000)
})
