// Calendar days without clocks or zones: plain year, month (1 to 12) and day of the month.
export type Day = { year: number; month: number; day: number }

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function monthLength(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (lengths[month - 1] ?? 0)
}

export function parseDay(text: string): Day {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) throw new SyntaxError(`not a day: ${text}`)
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) {
    throw new RangeError(`no such day: ${text}`)
  }
  return { year, month, day }
}

export function formatDay({ year, month, day }: Day): string {
  return [String(year).padStart(4, '0'), pad(month), pad(day)].join('-')
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

export function compareDays(a: Day, b: Day): number {
  return a.year - b.year || a.month - b.month || a.day - b.day
}
