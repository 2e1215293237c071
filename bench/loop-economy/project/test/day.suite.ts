import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysBetween, isLate, weekday } from '../src/day.ts'

test('the days between two days are counted', () => {
  assert.equal(daysBetween('2026-02-27', '2026-03-01'), 2)
})

test('days are added across the end of a month', () => {
  assert.equal(addDays('2026-01-30', 3), '2026-02-02')
})

test('the weekday of a day is known', () => {
  assert.equal(weekday('2026-01-04'), 0)
})

test('an order is late after its day', () => {
  assert.equal(isLate('2026-05-01', '2026-05-02'), true)
})
