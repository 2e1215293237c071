import { expect, test } from 'vitest'
import { Holds } from '../src/holds.ts'

function some(): Holds {
  const holds = new Holds()
  holds.request('Ulysses', 'a')
  holds.request('Dune', 'b')
  holds.request('Dune', 'a')
  holds.request('Dune', 'c')
  return holds
}

test('a request says the place in the queue', () => {
  const holds = some()
  expect(holds.request('Dune', 'd')).toBe(4)
  expect(holds.place('Dune', 'a')).toBe(2)
  expect(holds.place('Dune', 'b')).toBe(1)
  expect(holds.place('Dune', 'x')).toBe(null)
})

test('nobody waits twice for a book', () => {
  expect(() => some().request('Dune', 'c')).toThrow(RangeError)
})

test('first come, first served', () => {
  const holds = some()
  expect(holds.next('Dune')).toBe('b')
  expect(holds.next('Dune')).toBe('a')
  expect(holds.next('Emma')).toBe(null)
})

test('a queue cannot be changed from outside', () => {
  const holds = some()
  holds.waiting('Dune').reverse()
  expect(holds.waiting('Dune')).toEqual(['b', 'a', 'c'])
  expect(holds.waiting('Emma')).toEqual([])
})

test('a wait is two weeks for each place, up to a limit', () => {
  const holds = some()
  for (const member of ['d', 'e', 'f']) holds.request('Dune', member)
  expect(holds.daysToWait('Dune', 'a')).toBe(28)
  expect(holds.daysToWait('Dune', 'd')).toBe(56)
  expect(holds.daysToWait('Dune', 'f')).toBe(60)
})

test('books that somebody waits for are in order', () => {
  const holds = some()
  holds.request('Emma', 'a')
  expect(holds.books()).toEqual(['Dune', 'Emma', 'Ulysses'])
  holds.next('Ulysses')
  expect(holds.books()).toEqual(['Dune', 'Emma'])
})

test('copies are missing for who waits and gets none', () => {
  expect(some().copiesMissing('Dune', 1)).toBe(2)
  expect(some().copiesMissing('Dune', 0)).toBe(3)
})

test('no copies are missing where there are plenty', () => {
  expect(some().copiesMissing('Ulysses', 5)).toBe(0)
})
