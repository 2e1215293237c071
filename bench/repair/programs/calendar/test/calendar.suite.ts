import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  addMonths,
  dayOfYear,
  daysBetween,
  daysLeft,
  fromDayNumber,
  weekday,
  workingDays,
} from '../src/calendar.ts'
import { compareDays, formatDay, isLeap, parseDay } from '../src/day.ts'

const shift = (text: string, count: number) => formatDay(addDays(parseDay(text), count))
const months = (text: string, count: number) => formatDay(addMonths(parseDay(text), count))

test('days are read and written', () => {
  assert.deepEqual(parseDay('2024-02-29'), { year: 2024, month: 2, day: 29 })
  assert.equal(formatDay({ year: 987, month: 3, day: 5 }), '0987-03-05')
  assert.throws(() => parseDay('2023-02-29'), RangeError)
  assert.throws(() => parseDay('2023-13-01'), RangeError)
  assert.throws(() => parseDay('2023-1-1'), SyntaxError)
})

test('leap years', () => {
  assert.deepEqual([2024, 2023, 1900, 2000].map(isLeap), [true, false, false, true])
})

test('days are added', () => {
  assert.equal(shift('2024-02-28', 1), '2024-02-29')
  assert.equal(shift('2023-12-31', 1), '2024-01-01')
  assert.equal(shift('2024-03-01', -1), '2024-02-29')
  assert.equal(shift('2024-01-15', 366), '2025-01-15')
  assert.deepEqual(fromDayNumber(1), { year: 1, month: 1, day: 1 })
})

test('months are added and clamped', () => {
  assert.equal(months('2024-01-31', 1), '2024-02-29')
  assert.equal(months('2024-11-15', 2), '2025-01-15')
  assert.equal(months('2024-01-15', -1), '2023-12-15')
})

test('differences and weekdays', () => {
  assert.equal(daysBetween(parseDay('2024-01-01'), parseDay('2024-12-31')), 365)
  assert.equal(weekday(parseDay('2024-07-01')), 1)
  assert.equal(weekday(parseDay('2024-07-07')), 7)
  assert.ok(compareDays(parseDay('2024-05-02'), parseDay('2024-04-30')) > 0)
  assert.equal(compareDays(parseDay('2024-05-02'), parseDay('2024-05-02')), 0)
})

test('working days leave out weekends and holidays', () => {
  const from = parseDay('2024-07-01')
  assert.equal(workingDays(from, parseDay('2024-07-08')), 5)
  assert.equal(workingDays(from, parseDay('2024-07-06'), [parseDay('2024-07-04')]), 4)
  assert.equal(workingDays(from, from), 0)
})

test('place in the year', () => {
  assert.equal(dayOfYear(parseDay('2023-03-01')), 60)
  assert.equal(daysLeft(parseDay('2024-12-30')), 1)
  assert.equal(daysLeft(parseDay('2023-12-31')), 0)
})
