import { expect, test } from 'vitest'
import { Members } from '../src/members.ts'

function some(): Members {
  const members = new Members()
  members.add({ id: 'b', name: 'Bea', joined: 400 })
  members.add({ id: 'a', name: 'Ada', joined: 20 })
  members.add({ id: 'c', name: 'Cem', joined: 90 })
  return members
}

test('members are listed as they came, and the list is the own one of who asks', () => {
  const members = some()
  members.list().pop()
  expect(members.list().map((member) => member.id)).toEqual(['b', 'a', 'c'])
})

test('names are in order', () => {
  expect(some().names()).toEqual(['Ada', 'Bea', 'Cem'])
})

test('nobody is a member twice', () => {
  expect(() => some().add({ id: 'a', name: 'Other', joined: 1 })).toThrow(RangeError)
})

test('members are counted from a day on', () => {
  expect(some().countSince(90)).toBe(2)
  expect(some().countSince(91)).toBe(1)
  expect(some().countSince(0)).toBe(3)
})

test('years are whole', () => {
  expect(some().years('a', 20 + 365 * 3)).toBe(3)
  expect(some().years('a', 19 + 365 * 3)).toBe(2)
  expect(some().years('x', 1000)).toBe(0)
})

test('every year brings a bonus, up to a limit', () => {
  expect(some().bonus('a', 20 + 365 * 2)).toBe(10)
  expect(some().bonus('c', 90 + 365 * 6)).toBe(30)
  expect(some().bonus('a', 20 + 365 * 9)).toBe(30)
})

test('who joins tomorrow has no years', () => {
  expect(some().years('b', 10)).toBe(0)
})
