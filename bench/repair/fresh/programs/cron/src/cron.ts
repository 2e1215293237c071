import { CronError, type FieldSpec, parseField } from './field.ts'

export type Cron = {
  minutes: readonly number[]
  hours: readonly number[]
  days: readonly number[]
  months: readonly number[]
  weekdays: readonly number[]
  // Where both kinds of day are given, either will do.
  eitherDay: boolean
}

const monthWords = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayWords = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const minute: FieldSpec = { name: 'minute', min: 0, max: 59 }
const hour: FieldSpec = { name: 'hour', min: 0, max: 23 }
const day: FieldSpec = { name: 'day', min: 1, max: 31 }
const month: FieldSpec = { name: 'month', min: 1, max: 12, words: monthWords }
// Sunday may be 0 or 7.
const weekday: FieldSpec = { name: 'weekday', min: 0, max: 7, words: dayWords }

const shortcuts: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
}

export function parseCron(text: string): Cron {
  const line = text.trim()
  const fields = (shortcuts[line.toLowerCase()] ?? line).split(/\s+/)
  if (fields.length !== 5) throw new CronError(`five fields are needed, not ${fields.length}`)
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = fields
  const givenWeekdays = parseField(weekdays, weekday).map((value) => value % 7)
  return {
    minutes: parseField(minutes, minute),
    hours: parseField(hours, hour),
    days: parseField(days, day),
    months: parseField(months, month),
    weekdays: [...new Set(givenWeekdays)].sort((a, b) => a - b),
    eitherDay: !days.startsWith('*') && !weekdays.startsWith('*'),
  }
}

// All times are UTC.
export function matches(cron: Cron, date: Date): boolean {
  return (
    matchesDay(cron, date) &&
    cron.hours.includes(date.getUTCHours()) &&
    cron.minutes.includes(date.getUTCMinutes())
  )
}

function matchesDay(cron: Cron, date: Date): boolean {
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false
  const byDay = cron.days.includes(date.getUTCDate())
  const byWeekday = cron.weekdays.includes(date.getUTCDay())
  return cron.eitherDay ? byDay || byWeekday : byDay && byWeekday
}

const yearsMax = 9

// The first time after the given one, or nothing if there is none for years (30 February).
export function nextRun(cron: Cron, after: Date): Date | undefined {
  const date = new Date(after)
  date.setUTCSeconds(0, 0)
  date.setUTCMinutes(date.getUTCMinutes() + 1)
  const lastYear = date.getUTCFullYear() + yearsMax
  while (date.getUTCFullYear() <= lastYear) {
    if (!cron.months.includes(date.getUTCMonth() + 1)) {
      date.setUTCMonth(date.getUTCMonth() + 1, 1)
      date.setUTCHours(0, 0)
    } else if (!matchesDay(cron, date)) {
      date.setUTCDate(date.getUTCDate() + 1)
      date.setUTCHours(0, 0)
    } else if (!cron.hours.includes(date.getUTCHours())) {
      date.setUTCHours(date.getUTCHours() + 1, 0)
    } else if (!cron.minutes.includes(date.getUTCMinutes())) {
      date.setUTCMinutes(date.getUTCMinutes() + 1)
    } else {
      return date
    }
  }
  return undefined
}

// From the first (included) to the last (excluded), at most so many.
export function runsBetween(cron: Cron, first: Date, last: Date, limit = 100): Date[] {
  const runs: Date[] = []
  let next = nextRun(cron, new Date(first.getTime() - 1))
  while (next && next < last && runs.length < limit) {
    runs.push(next)
    next = nextRun(cron, next)
  }
  return runs
}
