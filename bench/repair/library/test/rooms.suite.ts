import { expect, test } from 'vitest'
import { priceOf, Rooms } from '../src/rooms.ts'

function some(): Rooms {
  const rooms = new Rooms()
  rooms.open('North', 6)
  rooms.open('East', 4)
  rooms.open('Attic', 2)
  rooms.book('North', 9, 3)
  rooms.book('North', 10, 5)
  rooms.book('East', 9, 4)
  return rooms
}

test('a room takes as many as it has seats', () => {
  const rooms = some()
  expect(rooms.book('North', 9, 4)).toBe(false)
  expect(rooms.book('North', 9, 3)).toBe(true)
  expect(rooms.book('Cellar', 9, 1)).toBe(false)
})

test('people are counted by room and hour', () => {
  expect(some().peopleIn('North', 9)).toBe(3)
  expect(some().peopleIn('North', 11)).toBe(0)
})

test('a room without seats is refused', () => {
  expect(() => some().open('Cellar', 0)).toThrow(RangeError)
})

test('seats are left that are neither taken nor blocked', () => {
  expect(some().seatsLeft('North', 9, 1)).toBe(2)
  expect(some().seatsLeft('Attic', 9, 0)).toBe(2)
})

test('a room with more blocked than free has no seats left', () => {
  expect(some().seatsLeft('East', 9, 2)).toBe(0)
  expect(some().seatsLeft('Attic', 9, 3)).toBe(0)
})

test('bookings cannot be changed from outside', () => {
  const rooms = some()
  rooms.all().splice(0, 2)
  expect(rooms.all().map((booking) => booking.people)).toEqual([3, 5, 4])
})

test('a room costs by people and hours, up to a limit', () => {
  expect(priceOf(4, 2)).toBe(1200)
  expect(priceOf(13, 2)).toBe(3900)
  expect(priceOf(20, 3)).toBe(4000)
})

test('free rooms are in order', () => {
  expect(some().freeRooms(11)).toEqual(['Attic', 'East', 'North'])
  expect(some().freeRooms(10)).toEqual(['Attic', 'East'])
})

test('the busiest hour is the first one with most people', () => {
  expect(some().busiest()).toBe(9)
  expect(new Rooms().busiest()).toBe(null)
})
