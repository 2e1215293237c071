import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  addMonths,
  dayNumber,
  dayOfYear,
  daysBetween,
  daysLeft,
  fromDayNumber,
  weekday,
  workingDays,
} from '../src/calendar.ts'
import { compareDays, type Day, formatDay, isLeap, monthLength, parseDay } from '../src/day.ts'

// The clock of the machine in UTC is the independent judge.
const utc = (text: string) => new Date(`${text}T00:00:00Z`)
const iso = (date: Date) => date.toISOString().slice(0, 10)
const dayMs = 86_400_000
const samples = Array.from({ length: 400 }, (_, index) =>
  iso(new Date(Date.UTC(1890, 0, 1) + index * 211 * dayMs)),
)

test('reading, writing, weekday and place in the year', () => {
  for (const text of samples) {
    const day = parseDay(text)
    const date = utc(text)
    assert.equal(formatDay(day), text)
    assert.deepEqual(day, {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    })
    assert.equal(weekday(day), date.getUTCDay() || 7)
    assert.deepEqual(fromDayNumber(dayNumber(day)), day)
    const first = Date.UTC(day.year, 0, 1)
    assert.equal(dayOfYear(day), (date.getTime() - first) / dayMs + 1)
    assert.equal(daysLeft(day), (Date.UTC(day.year + 1, 0, 1) - date.getTime()) / dayMs - 1)
    assert.equal(monthLength(day.year, day.month), new Date(Date.UTC(day.year, day.month, 0)).getUTCDate())
  }
})

test('adding days and differences', () => {
  for (const text of samples) {
    for (const count of [-400, -31, -1, 0, 1, 29, 365, 366, 1461]) {
      const expected = iso(new Date(utc(text).getTime() + count * dayMs))
      assert.equal(formatDay(addDays(parseDay(text), count)), expected)
      assert.equal(daysBetween(parseDay(text), parseDay(expected)), count)
      assert.equal(Math.sign(compareDays(parseDay(expected), parseDay(text))), Math.sign(count))
    }
  }
})

test('adding months', () => {
  for (const text of samples) {
    const day = parseDay(text)
    for (const count of [-25, -12, -3, -1, 0, 1, 2, 11, 12, 30]) {
      const first = new Date(Date.UTC(day.year, day.month - 1 + count, 1))
      const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
      const expected: Day = {
        year: first.getUTCFullYear(),
        month: first.getUTCMonth() + 1,
        day: Math.min(day.day, length),
      }
      assert.deepEqual(addMonths(day, count), expected)
    }
  }
})

test('leap years and wrong days', () => {
  for (let year = 1800; year <= 2420; year += 1) {
    assert.equal(isLeap(year), new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1)
  }
  for (const text of ['2023-00-10', '2023-04-31', '2023-06-00', '1900-02-29', '2024-12-32', '2024-99-01']) {
    assert.throws(() => parseDay(text), RangeError)
  }
  for (const text of ['', '20240101', '2024-1-01', ' 2024-01-01', '2024-01-01T00', '12024-01-01']) {
    assert.throws(() => parseDay(text), SyntaxError)
  }
})

test('working days', () => {
  const holidays = ['2024-12-25', '2024-12-26', '2025-01-01', '2024-12-28'].map(parseDay)
  for (let start = 0; start < 20; start += 1) {
    for (let length = 0; length < 16; length += 3) {
      const from = addDays(parseDay('2024-12-16'), start)
      const to = addDays(from, length)
      let expected = 0
      for (let n = 0; n < length; n += 1) {
        const text = iso(new Date(utc(formatDay(from)).getTime() + n * dayMs))
        const sunday = utc(text).getUTCDay()
        const free = holidays.some((day) => formatDay(day) === text)
        if (sunday !== 0 && sunday !== 6 && !free) expected += 1
      }
      assert.equal(workingDays(from, to, holidays), expected)
    }
  }
  assert.equal(workingDays(parseDay('2024-07-10'), parseDay('2024-07-01')), 0)
})
