import { expect, test } from 'vitest'
import { Shelves } from '../src/shelves.ts'

function some(): Shelves {
  const shelves = new Shelves()
  shelves.build('C', 3)
  shelves.build('A', 2)
  shelves.build('B', 1)
  shelves.put('A', 'Emma')
  shelves.put('A', 'Ulysses')
  return shelves
}

test('a full shelf takes no more', () => {
  const shelves = some()
  expect(shelves.put('A', 'Dune')).toBe(false)
  expect(shelves.put('B', 'Dune')).toBe(true)
  expect(shelves.put('X', 'Dune')).toBe(false)
})

test('the books of a shelf cannot be changed from outside', () => {
  const shelves = some()
  shelves.books('A').push('Dune')
  expect(shelves.books('A')).toEqual(['Emma', 'Ulysses'])
  expect(shelves.books('X')).toEqual([])
})

test('codes are in order', () => {
  expect(some().codes()).toEqual(['A', 'B', 'C'])
})

test('a book is found where it stands', () => {
  expect(some().find('Ulysses')).toBe('A')
  expect(some().find('Dune')).toBe(null)
})

test('a shelf without places is refused', () => {
  expect(() => some().build('D', 0)).toThrow(RangeError)
})

test('places are free that are neither taken nor reserved', () => {
  expect(some().free('C', 1)).toBe(2)
  expect(some().free('B', 0)).toBe(1)
  expect(some().free('X', 1)).toBe(0)
})

test('more reserved than there is leaves nothing', () => {
  expect(some().free('A', 2)).toBe(0)
  expect(some().free('B', 4)).toBe(0)
})
