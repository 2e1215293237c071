import { type Day, isLeap, monthLength } from './day.ts'

// Days since 1 January of the year 1, which is day 1 and was a Monday.
export function dayNumber({ year, month, day }: Day): number {
  const before = year - 1
  let total = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  for (let m = 1; m < month; m += 1) total += monthLength(year, m)
  return total + day
}

export function fromDayNumber(number: number): Day {
  let year = Math.max(1, Math.floor(number / 366))
  while (dayNumber({ year: year + 1, month: 1, day: 1 }) <= number) year += 1
  let rest = number - dayNumber({ year, month: 1, day: 1 })
  let month = 1
  while (rest >= monthLength(year, month)) {
    rest -= monthLength(year, month)
    month += 1
  }
  return { year, month, day: rest + 1 }
}

export function addDays(day: Day, count: number): Day {
  return fromDayNumber(dayNumber(day) + count)
}

// The day of the month is kept where it exists, else it is the month's last.
export function addMonths({ year, month, day }: Day, count: number): Day {
  const index = year * 12 + (month - 1) + count
  const toYear = Math.floor(index / 12)
  const toMonth = (index % 12) + 1
  return { year: toYear, month: toMonth, day: Math.min(day, monthLength(toYear, toMonth)) }
}

export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from)
}

// 1 is Monday, 7 is Sunday.
export function weekday(day: Day): number {
  return ((dayNumber(day) - 1) % 7) + 1
}

// Counts Monday to Friday from the first day up to, but without, the last.
export function workingDays(from: Day, to: Day, holidays: readonly Day[] = []): number {
  const free = new Set(holidays.map(dayNumber))
  let count = 0
  for (let number = dayNumber(from); number < dayNumber(to); number += 1) {
    if (weekday(fromDayNumber(number)) <= 5 && !free.has(number)) count += 1
  }
  return count
}

export function dayOfYear(day: Day): number {
  return daysBetween({ year: day.year, month: 1, day: 1 }, day) + 1
}

export function daysLeft(day: Day): number {
  return (isLeap(day.year) ? 366 : 365) - dayOfYear(day)
}
