import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, nextRun, parseCron, runsBetween } from '../src/cron.ts'
import { CronError, parseField } from '../src/field.ts'

let state = 19
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
const minuteMs = 60_000

// Draws a field together with a test that says which values belong to it.
type Drawn = { text: string; has: (value: number) => boolean }

function drawPart(min: number, max: number): Drawn {
  const from = min + random(max - min + 1)
  const to = from + random(max - from + 1)
  const step = random(5) + 1
  const all: Drawn[] = [
    { text: '*', has: () => true },
    { text: `${from}`, has: (value) => value === from },
    { text: `${from}-${to}`, has: (value) => value >= from && value <= to },
    { text: `*/${step}`, has: (value) => (value - min) % step === 0 },
    { text: `${from}/${step}`, has: (value) => value >= from && (value - from) % step === 0 },
    {
      text: `${from}-${to}/${step}`,
      has: (value) => value >= from && value <= to && (value - from) % step === 0,
    },
  ]
  return pick(all)
}

function drawField(min: number, max: number): Drawn {
  const parts = Array.from({ length: pick([1, 1, 2, 3]) }, () => drawPart(min, max))
  return {
    text: parts.map((part) => part.text).join(','),
    has: (value) => parts.some((part) => part.has(value)),
  }
}

test('fields agree with a test of each value', () => {
  for (let round = 0; round < 500; round += 1) {
    const min = random(3)
    const max = min + 1 + random(30)
    const { text, has } = drawField(min, max)
    const expected: number[] = []
    for (let value = min; value <= max; value += 1) if (has(value)) expected.push(value)
    assert.deepEqual(parseField(text, { name: 'f', min, max }), expected, text)
  }
})

test('wrong fields', () => {
  const spec = { name: 'hour', min: 2, max: 12 }
  const wrong: [string, string][] = [
    ['1', 'hour: 1 is not within 2 and 12'],
    ['13', 'hour: 13 is not within 2 and 12'],
    ['2-13', 'hour: 13 is not within 2 and 12'],
    ['4-3', 'hour: 4-3 runs backwards'],
    ['4/x', 'hour: x is no step'],
    ['4/', 'hour:  is no step'],
    ['*/00', 'hour: 00 is no step'],
    ['4/2/2', 'hour: two steps in 4/2/2'],
    ['4-5-6', 'hour: two ranges in 4-5-6'],
    ['', 'hour:  is no value'],
    ['3,,4', 'hour:  is no value'],
    ['3.5', 'hour: 3.5 is no value'],
    ['mon', 'hour: mon is no value'],
    ['**', 'hour: ** is no value'],
  ]
  for (const [text, message] of wrong) {
    assert.throws(
      () => parseField(text, spec),
      (error) => error instanceof CronError && error.message === message,
    )
  }
  assert.deepEqual(parseField('2,12,5-5', spec), [2, 5, 12])
})

test('words and shortcuts', () => {
  const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  for (const [index, name] of months.entries()) {
    assert.deepEqual(parseCron(`* * * ${name} *`).months, [index + 1])
    assert.deepEqual(parseCron(`* * * ${name.toUpperCase()} *`).months, [index + 1])
  }
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  for (const [index, name] of days.entries()) {
    assert.deepEqual(parseCron(`* * * * ${name}`).weekdays, [index])
    assert.deepEqual(parseCron(`* * * * ${index}`).weekdays, [index])
  }
  assert.deepEqual(parseCron('* * * * 5-7').weekdays, [0, 5, 6])
  assert.deepEqual(parseCron('* * * * *').weekdays, [0, 1, 2, 3, 4, 5, 6])
  assert.deepEqual(parseCron('* * * * mon-fri').weekdays, [1, 2, 3, 4, 5])
  const lines: [string, string][] = [
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
  ]
  for (const [short, long] of lines) assert.deepEqual(parseCron(` ${short} `), parseCron(long))
  assert.throws(() => parseCron('1 2 3 4 5 6'), /five fields are needed, not 6/)
  assert.throws(() => parseCron(''), CronError)
  assert.throws(() => parseCron('60 * * * *'), /minute: 60/)
  assert.throws(() => parseCron('* 24 * * *'), /hour: 24/)
  assert.throws(() => parseCron('* * 0 * *'), /day: 0/)
  assert.throws(() => parseCron('* * 32 * *'), /day: 32/)
  assert.throws(() => parseCron('* * * 13 *'), /month: 13/)
  assert.throws(() => parseCron('* * * * 8'), /weekday: 8/)
})

type Line = { text: string; fits: (date: Date) => boolean }

function drawLine(): Line {
  const minutes = drawField(0, 59)
  const hours = drawField(0, 23)
  const days = random(2) === 0 ? { text: '*', has: () => true } : drawField(1, 31)
  const months = random(2) === 0 ? { text: '*', has: () => true } : drawField(1, 12)
  const weekdays = random(2) === 0 ? { text: '*', has: () => true } : drawField(0, 6)
  const weekdayFits = (value: number) => {
    // A step or an open end reaches Sunday as 7 too.
    const list = parseField(weekdays.text, { name: 'w', min: 0, max: 7 })
    return list.includes(value) || (value === 0 && list.includes(7))
  }
  const either = days.text[0] !== '*' && weekdays.text[0] !== '*'
  const text = [minutes, hours, days, months, weekdays].map((field) => field.text).join(' ')
  const fits = (date: Date) => {
    const iso = date.toISOString()
    const byDay = days.has(Number(iso.slice(8, 10)))
    const byWeekday = weekdayFits((Math.floor(date.getTime() / 86_400_000) + 4) % 7)
    const dayFits = either ? byDay || byWeekday : byDay && byWeekday
    return (
      dayFits &&
      months.has(Number(iso.slice(5, 7))) &&
      hours.has(Number(iso.slice(11, 13))) &&
      minutes.has(Number(iso.slice(14, 16)))
    )
  }
  return { text, fits }
}

test('matching agrees with the text of a date', () => {
  for (let round = 0; round < 300; round += 1) {
    const { text, fits } = drawLine()
    const cron = parseCron(text)
    for (let turn = 0; turn < 20; turn += 1) {
      const date = new Date(
        Date.UTC(2020 + random(8), random(12), 1 + random(31), random(24), random(60), random(60)),
      )
      assert.equal(matches(cron, date), fits(date), `${text} ${date.toISOString()}`)
    }
  }
})

test('the next run agrees with going minute by minute', () => {
  for (let round = 0; round < 150; round += 1) {
    const { text, fits } = drawLine()
    const cron = parseCron(text)
    const after = new Date(
      Date.UTC(2023 + random(3), random(12), 1 + random(31), random(24), random(60), random(60)),
    )
    const found = nextRun(cron, after)
    let time = Math.floor(after.getTime() / minuteMs) * minuteMs + minuteMs
    const end = time + 3 * 86_400_000
    while (time < end && !fits(new Date(time))) time += minuteMs
    if (time < end) assert.equal(found?.getTime(), time, text)
    else if (found) {
      assert.ok(found.getTime() >= end && fits(found), text)
      assert.equal(found.getTime() % minuteMs, 0)
    }
  }
})

test('the next run far away', () => {
  const next = (line: string, after: string) => nextRun(parseCron(line), new Date(after))?.toISOString()
  assert.equal(next('0 0 29 2 *', '2096-02-29T00:00:00Z'), '2104-02-29T00:00:00.000Z')
  assert.equal(next('5 4 31 dec *', '2026-12-31T04:05:00.001Z'), '2027-12-31T04:05:00.000Z')
  assert.equal(next('0 0 31 4,6,9,11 *', '2026-01-01T00:00:00Z'), undefined)
  assert.equal(next('0 12 29 feb sun', '2026-02-27T13:00:00Z'), '2027-02-07T12:00:00.000Z')
  assert.equal(next('10 10 1 */4 *', '2026-05-31T10:10:00Z'), '2026-09-01T10:10:00.000Z')
  assert.equal(next('59 23 * * *', '2026-12-31T23:58:59.999Z'), '2026-12-31T23:59:00.000Z')
})

test('the runs between agree with going minute by minute', () => {
  for (let round = 0; round < 60; round += 1) {
    const { text, fits } = drawLine()
    const first = Date.UTC(2024, random(12), 1 + random(28), random(24), random(60), pick([0, 0, 30]))
    const last = first + random(2000) * minuteMs
    const limit = pick([5, 1000])
    const expected: number[] = []
    for (let time = Math.ceil(first / minuteMs) * minuteMs; time < last; time += minuteMs) {
      if (expected.length < limit && fits(new Date(time))) expected.push(time)
    }
    const runs = runsBetween(parseCron(text), new Date(first), new Date(last), limit)
    assert.deepEqual(
      runs.map((date) => date.getTime()),
      expected,
      text,
    )
  }
  assert.equal(runsBetween(parseCron('* * * * *'), new Date(0), new Date(1e9)).length, 100)
})
