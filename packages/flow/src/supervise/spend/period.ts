// When a budget's day or month begins and ends: at midnight UTC.
import type { Period } from '@treadle/contracts/cost'

export interface Span {
  readonly startsAt: Date
  readonly endsAt: Date
}

export function spanOf(period: Period, now: Date): Span {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return period === 'daily'
    ? { startsAt: new Date(Date.UTC(year, month, day)), endsAt: new Date(Date.UTC(year, month, day + 1)) }
    : { startsAt: new Date(Date.UTC(year, month, 1)), endsAt: new Date(Date.UTC(year, month + 1, 1)) }
}
