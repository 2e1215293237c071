import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interleave } from './interleave.ts'

test.each<[string, string, string]>([
  ['', '', ''],
  ['', 'abc', 'abc'],
  ['xy', '', 'xy'],
  ['xy', 'abcd', 'xaybcd'],
  ['wxyz', 'ab', 'waxbyz'],
  ['b', 'abc', 'bac'],
  ['ba', 'abc', 'bac'],
  ['xx', 'aab', 'xab'],
])('%j among %j gives %j', (resolutions, defaults, order) => {
  expect(interleave([...resolutions], [...defaults]).join('')).toBe(order)
})

test('attempts are the same if their keys are', () => {
  const [known, same, other] = [{ patch: 1 }, { patch: 1 }, { patch: 2 }]
  expect(interleave([known], [other, same], ({ patch }) => patch)).toEqual([known, other])
})

const attempts = fc.uniqueArray(fc.integer({ min: 0, max: 30 }))

test('a wrong memory costs at most twice the attempts, and nothing is lost or tried twice', () => {
  fc.assert(
    fc.property(attempts, attempts, (resolutions, defaults) => {
      const order = interleave(resolutions, defaults)
      for (const [at, attempt] of defaults.entries())
        expect(order.indexOf(attempt) + 1).toBeLessThanOrEqual(2 * (at + 1))
      for (const [at, attempt] of resolutions.entries())
        expect(order.indexOf(attempt)).toBeLessThanOrEqual(2 * at)
      expect(order.toSorted()).toEqual([...new Set([...resolutions, ...defaults])].toSorted())
    }),
  )
})
