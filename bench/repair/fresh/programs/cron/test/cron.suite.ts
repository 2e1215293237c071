import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, nextRun, parseCron, runsBetween } from '../src/cron.ts'
import { CronError, parseField } from '../src/field.ts'

const spec = { name: 'n', min: 0, max: 10 }
const next = (line: string, after: string) =>
  nextRun(parseCron(line), new Date(`${after}Z`))
    ?.toISOString()
    .slice(0, 16)

test('a field is a star or a value', () => {
  assert.deepEqual(parseField('*', { name: 'n', min: 1, max: 4 }), [1, 2, 3, 4])
  assert.deepEqual(parseField('7', spec), [7])
  assert.deepEqual(parseField('0,10', spec), [0, 10])
})

test('a field has ranges and steps', () => {
  assert.deepEqual(parseField('2-5', spec), [2, 3, 4, 5])
  assert.deepEqual(parseField('*/4', spec), [0, 4, 8])
  assert.deepEqual(parseField('1-9/3', spec), [1, 4, 7])
  assert.deepEqual(parseField('6/2', spec), [6, 8, 10])
})

test('a field is sorted and has nothing twice', () => {
  assert.deepEqual(parseField('9,3-5,4,*/10', spec), [0, 3, 4, 5, 9, 10])
})

test('a field has words', () => {
  const days = { name: 'd', min: 1, max: 3, words: ['one', 'two', 'three'] }
  assert.deepEqual(parseField('TWO', days), [2])
  assert.deepEqual(parseField('one-three/2', days), [1, 3])
})

test('a wrong field says what is wrong', () => {
  assert.throws(() => parseField('11', spec), new CronError('n: 11 is not within 0 and 10'))
  assert.throws(() => parseField('5-2', spec), new CronError('n: 5-2 runs backwards'))
  assert.throws(() => parseField('*/0', spec), new CronError('n: 0 is no step'))
  assert.throws(() => parseField('1//2', spec), new CronError('n: two steps in 1//2'))
  assert.throws(() => parseField('1-2-3', spec), new CronError('n: two ranges in 1-2-3'))
  assert.throws(() => parseField('x', spec), new CronError('n: x is no value'))
  assert.throws(() => parseField('1,', spec), CronError)
})

test('a line has five fields', () => {
  const cron = parseCron(' 0 12  1-3 feb mon,7 ')
  assert.deepEqual(cron, {
    minutes: [0],
    hours: [12],
    days: [1, 2, 3],
    months: [2],
    weekdays: [0, 1],
    eitherDay: true,
  })
  assert.throws(() => parseCron('* * * *'), /five fields are needed, not 4/)
  assert.equal(parseCron('* * * * 0,7').weekdays.length, 1)
})

test('a line may be a shortcut', () => {
  assert.deepEqual(parseCron('@daily'), parseCron('0 0 * * *'))
  assert.deepEqual(parseCron('@Weekly'), parseCron('0 0 * * sun'))
  assert.throws(() => parseCron('@never'), CronError)
})

test('a date matches', () => {
  const cron = parseCron('30 9 * 3 *')
  assert.equal(matches(cron, new Date('2026-03-05T09:30:45Z')), true)
  assert.equal(matches(cron, new Date('2026-03-05T09:31:00Z')), false)
  assert.equal(matches(cron, new Date('2026-03-05T10:30:00Z')), false)
  assert.equal(matches(cron, new Date('2026-04-05T09:30:00Z')), false)
})

test('with both kinds of day either will do', () => {
  const either = parseCron('0 0 13 * fri')
  assert.equal(matches(either, new Date('2026-05-13T00:00:00Z')), true)
  assert.equal(matches(either, new Date('2026-05-15T00:00:00Z')), true)
  assert.equal(matches(either, new Date('2026-05-16T00:00:00Z')), false)
  const both = parseCron('0 0 */2 * fri')
  assert.equal(matches(both, new Date('2026-05-15T00:00:00Z')), true)
  assert.equal(matches(both, new Date('2026-05-22T00:00:00Z')), false)
})

test('the next run is later', () => {
  assert.equal(next('* * * * *', '2026-01-01T00:00:00'), '2026-01-01T00:01')
  assert.equal(next('*/15 * * * *', '2026-01-01T00:07:30'), '2026-01-01T00:15')
  assert.equal(next('0 6 * * *', '2026-01-01T06:00:00'), '2026-01-02T06:00')
  assert.equal(next('0 6 * * *', '2026-01-01T05:59:59'), '2026-01-01T06:00')
  assert.equal(next('5,10 9,17 * * *', '2026-01-01T10:30:00'), '2026-01-01T17:05')
})

test('the next run goes over days, months and years', () => {
  assert.equal(next('59 23 31 * *', '2026-03-31T23:59:00'), '2026-05-31T23:59')
  assert.equal(next('0 0 1 1 *', '2026-01-01T00:00:00'), '2027-01-01T00:00')
  assert.equal(next('30 8 * jun mon', '2026-01-15T12:45:00'), '2026-06-01T08:30')
  assert.equal(next('0 0 29 2 *', '2026-01-01T00:00:00'), '2028-02-29T00:00')
})

test('there may be no next run', () => {
  assert.equal(next('0 0 30 2 *', '2026-01-01T00:00:00'), undefined)
})

test('the time that is asked for stays as it was', () => {
  const after = new Date('2026-01-01T10:20:30Z')
  nextRun(parseCron('@hourly'), after)
  assert.equal(after.toISOString(), '2026-01-01T10:20:30.000Z')
})

test('the runs between two times', () => {
  const runs = (line: string, from: string, to: string, limit?: number) =>
    runsBetween(parseCron(line), new Date(`${from}Z`), new Date(`${to}Z`), limit).map((date) =>
      date.toISOString().slice(11, 16),
    )
  assert.deepEqual(runs('0 */6 * * *', '2026-01-01T00:00:00', '2026-01-02T00:00:00'), [
    '00:00',
    '06:00',
    '12:00',
    '18:00',
  ])
  assert.deepEqual(runs('* * * * *', '2026-01-01T00:00:01', '2026-01-01T00:09:00', 2), ['00:01', '00:02'])
  assert.deepEqual(runs('@yearly', '2026-01-02T00:00:00', '2026-12-31T00:00:00'), [])
})
