import { expect, test } from 'vitest'
import { plantPython } from './python-faults.ts'

const source = `"""Prices.

return 1 == 2
"""
import math

def price(count, each):
    # each == 0
    if count > 10 and each != 0:
        return count * each - 5
    total = sum(
        count == 1
    )
    return "a == b" + str(each)
`
const faults = (lines: readonly number[]) =>
  plantPython(source, new Set(lines)).map(({ line, after }) => `${line}: ${after}`)

test('boundaries, directions, connectives, operators and numbers are exchanged in the named lines only', () => {
  expect(faults([9])).toEqual([
    '9: if count > 10 and each == 0:',
    '9: if count >= 10 and each != 0:',
    '9: if count > 10 or each != 0:',
    '9: if count > 11 and each != 0:',
  ])
  expect(faults([10]).slice(1)).toEqual([
    '10: return count / each - 5',
    '10: return count * each + 5',
    '10: return count * each - 6',
  ])
  expect(faults([10])[0]).toMatch(/^10: return \(lambda r: .*\)\(count \* each - 5\)$/)
})

test('texts, remarks, definitions and parts of statements are left alone', () => {
  expect(faults([1, 2, 3, 4, 5, 7, 8, 11, 12, 13])).toEqual([])
  expect(faults([14]).map((fault) => fault.includes('"a == b"'))).toEqual([true])
})
