export function parseDay(text: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) throw new RangeError(`${text} is no day`)
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
}

export function daysBetween(from: string, to: string): number {
  return (parseDay(to).getTime() - parseDay(from).getTime()) / 86_400_000
}

export function addDays(text: string, count: number): string {
  return new Date(parseDay(text).getTime() + count * 86_400_000).toISOString().slice(0, 10)
}

export function weekday(text: string): number {
  return parseDay(text).getUTCDay()
}

export function isLate(due: string, today: string): boolean {
  return parseDay(due) < parseDay(today)
}
