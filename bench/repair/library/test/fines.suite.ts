import { expect, test } from 'vitest'
import { Fines, fineFor } from '../src/fines.ts'

function some(): Fines {
  const fines = new Fines()
  fines.charge('c', 300, 'late')
  fines.charge('a', 500, 'lost')
  fines.charge('c', 200, 'torn')
  fines.charge('b', 100, 'late')
  return fines
}

test('a fine grows by the day, up to a limit', () => {
  expect(fineFor(0)).toBe(0)
  expect(fineFor(1)).toBe(20)
  expect(fineFor(49)).toBe(980)
  expect(fineFor(80)).toBe(1000)
})

test('a fine of nothing is refused', () => {
  expect(() => some().charge('a', 0, 'late')).toThrow(RangeError)
})

test('what was paid is not owed any more', () => {
  const fines = some()
  fines.pay('c', 100)
  fines.pay('c', 150)
  expect(fines.total('c')).toBe(500)
  expect(fines.owed('c')).toBe(250)
})

test('who paid too much owes nothing', () => {
  const fines = some()
  fines.pay('b', 130)
  expect(fines.owed('b')).toBe(0)
})

test('entries cannot be changed from outside', () => {
  const fines = some()
  fines.entries().pop()
  expect(fines.entries().map((fine) => fine.cents)).toEqual([300, 500, 200, 100])
})

test('debtors are in order', () => {
  const fines = some()
  fines.pay('b', 100)
  expect(fines.debtors()).toEqual(['a', 'c'])
})
