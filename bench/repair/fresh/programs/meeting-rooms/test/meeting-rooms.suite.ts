import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClock, formatLength, parseClock } from '../src/clock.ts'
import { RoomDay } from '../src/day.ts'
import { Rooms } from '../src/rooms.ts'

test('times are read and written', () => {
  assert.equal(parseClock('09:30'), 570)
  assert.equal(parseClock('0:05'), 5)
  assert.equal(parseClock('24:00'), 1440)
  assert.equal(formatClock(570), '09:30')
  assert.equal(formatClock(1439), '23:59')
})

test('wrong times are refused', () => {
  for (const text of ['24:01', '12:60', '9', '12:5', 'ab:cd', '']) {
    assert.throws(() => parseClock(text), SyntaxError, text)
  }
})

test('lengths are written in words', () => {
  assert.equal(formatLength(45), '45 min')
  assert.equal(formatLength(120), '2 h')
  assert.equal(formatLength(75), '1 h 15 min')
})

test('a day knows what is free', () => {
  const day = new RoomDay({ start: 480, end: 600 })
  day.add({ id: 'a', start: 500, end: 520 })
  assert.equal(day.isFree({ start: 480, end: 500 }), true)
  assert.equal(day.isFree({ start: 520, end: 600 }), true)
  assert.equal(day.isFree({ start: 510, end: 530 }), false)
  assert.equal(day.isFree({ start: 490, end: 501 }), false)
  assert.equal(day.isFree({ start: 470, end: 490 }), false)
  assert.equal(day.isFree({ start: 590, end: 601 }), false)
})

test('a day is kept in order', () => {
  const day = new RoomDay({ start: 0, end: 100 })
  for (const start of [40, 0, 80, 20]) day.add({ id: `m${start}`, start, end: start + 10 })
  assert.deepEqual(
    day.list().map((one) => one.id),
    ['m0', 'm20', 'm40', 'm80'],
  )
})

test('a day has gaps', () => {
  const day = new RoomDay({ start: 0, end: 100 })
  assert.deepEqual(day.gaps(), [{ start: 0, end: 100 }])
  day.add({ id: 'a', start: 0, end: 30 })
  day.add({ id: 'b', start: 30, end: 40 })
  day.add({ id: 'c', start: 50, end: 70 })
  assert.deepEqual(day.gaps(), [
    { start: 40, end: 50 },
    { start: 70, end: 100 },
  ])
  assert.deepEqual(day.gaps(10).length, 2)
  assert.deepEqual(day.gaps(11), [{ start: 70, end: 100 }])
  assert.deepEqual(day.gaps(31), [])
})

test('a day tells how much of it is used', () => {
  const day = new RoomDay({ start: 100, end: 400 })
  assert.equal(day.usage(), 0)
  day.add({ id: 'a', start: 100, end: 200 })
  assert.equal(day.usage(), 33)
  day.add({ id: 'b', start: 200, end: 300 })
  assert.equal(day.usage(), 67)
  assert.throws(() => new RoomDay({ start: 5, end: 5 }), RangeError)
})

const house = () =>
  new Rooms([
    { name: 'hall', seats: 20 },
    { name: 'nook', seats: 4 },
    { name: 'attic', seats: 4, closes: '12:00' },
  ])

test('the smallest room that fits is taken', () => {
  const rooms = house()
  assert.deepEqual(rooms.book({ id: 'a', start: '09:00', end: '10:00', people: 3 }), {
    is: 'booked',
    room: 'attic',
  })
  assert.deepEqual(rooms.book({ id: 'b', start: '09:30', end: '10:00', people: 4 }), {
    is: 'booked',
    room: 'nook',
  })
  assert.deepEqual(rooms.book({ id: 'c', start: '09:00', end: '09:45', people: 2 }), {
    is: 'booked',
    room: 'hall',
  })
  assert.deepEqual(rooms.book({ id: 'd', start: '10:00', end: '11:00', people: 5 }), {
    is: 'booked',
    room: 'hall',
  })
  assert.deepEqual(rooms.book({ id: 'e', start: '11:30', end: '12:30', people: 1 }), {
    is: 'booked',
    room: 'nook',
  })
})

test('a meeting is refused with a reason', () => {
  const rooms = house()
  rooms.book({ id: 'a', start: '08:00', end: '18:00', people: 20 })
  assert.deepEqual(rooms.book({ id: 'a', start: '08:00', end: '09:00', people: 1 }), {
    is: 'refused',
    why: 'known',
  })
  assert.deepEqual(rooms.book({ id: 'b', start: '08:00', end: '09:00', people: 21 }), {
    is: 'refused',
    why: 'too_large',
  })
  assert.deepEqual(rooms.book({ id: 'c', start: '17:00', end: '18:00', people: 6 }), {
    is: 'refused',
    why: 'no_room_free',
  })
  assert.throws(() => rooms.book({ id: 'd', start: '09:00', end: '09:00', people: 1 }), RangeError)
})

test('a cancelled meeting makes room', () => {
  const rooms = house()
  const meeting = { id: 'a', start: '09:00', end: '10:00', people: 10 }
  rooms.book(meeting)
  assert.equal(rooms.cancel('a'), true)
  assert.equal(rooms.cancel('a'), false)
  assert.deepEqual(rooms.agenda('hall'), [])
  assert.deepEqual(rooms.book(meeting), { is: 'booked', room: 'hall' })
})

test('a meeting moves, also into its own old time', () => {
  const rooms = house()
  rooms.book({ id: 'a', start: '09:00', end: '10:00', people: 10 })
  assert.deepEqual(rooms.move({ id: 'a', start: '09:30', end: '10:30', people: 10 }), {
    is: 'booked',
    room: 'hall',
  })
  assert.deepEqual(rooms.agenda('hall'), ['09:30-10:30 a (1 h)'])
})

test('a meeting that cannot move stays', () => {
  const rooms = house()
  rooms.book({ id: 'a', start: '09:00', end: '10:00', people: 10 })
  rooms.book({ id: 'b', start: '10:00', end: '11:00', people: 10 })
  assert.deepEqual(rooms.move({ id: 'a', start: '10:30', end: '11:30', people: 10 }), {
    is: 'refused',
    why: 'no_room_free',
  })
  assert.deepEqual(rooms.agenda('hall'), ['09:00-10:00 a (1 h)', '10:00-11:00 b (1 h)'])
  assert.equal(rooms.cancel('a'), true)
})

test('the earliest time is suggested', () => {
  const rooms = house()
  assert.deepEqual(rooms.suggest(30, 2), { room: 'attic', start: '08:00', end: '08:30' })
  assert.deepEqual(rooms.suggest(90, 2, '10:45'), { room: 'nook', start: '10:45', end: '12:15' })
  rooms.book({ id: 'a', start: '08:00', end: '12:00', people: 20 })
  assert.deepEqual(rooms.suggest(60, 10), { room: 'hall', start: '12:00', end: '13:00' })
  assert.deepEqual(rooms.suggest(60, 10, '17:00'), { room: 'hall', start: '17:00', end: '18:00' })
  assert.equal(rooms.suggest(60, 10, '17:01'), undefined)
  assert.equal(rooms.suggest(10, 21), undefined)
})

test('rooms tell how they are used', () => {
  const rooms = house()
  rooms.book({ id: 'b', start: '14:00', end: '16:15', people: 9 })
  rooms.book({ id: 'a', start: '08:00', end: '09:00', people: 9 })
  assert.deepEqual(rooms.agenda('hall'), ['08:00-09:00 a (1 h)', '14:00-16:15 b (2 h 15 min)'])
  assert.equal(rooms.usage('hall'), 33)
  assert.equal(rooms.usage('nook'), 0)
  assert.throws(() => rooms.usage('cellar'), /there is no room cellar/)
})
