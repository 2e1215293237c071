// What a build is likely to cost and how long it takes: a range from what the crew's own items have cost and taken, and
// how often such ranges held. Pure.
import type { Build, BuildForecast } from '@treadle/contracts/build'

/** An item that was brought to its end. */
export interface FinishedItem {
  readonly usd: number
  readonly hours: number
}

export interface ForecastFacts {
  readonly tasks: number
  /** Agents that may work side by side. */
  readonly agents: number
  readonly finished: readonly FinishedItem[]
  /** Builds that were delivered. */
  readonly builds: readonly Pick<Build, 'forecast' | 'spentUSD' | 'workedMs' | 'earlierMs'>[]
}

/** With fewer nobody knows anything. */
const FINISHED_MIN = 5
/** Of ten items, the cheapest and the dearest are left out. */
const LOW = 0.1
const HIGH = 0.9
const HOUR_MS = 3_600_000

export function forecastOf({ tasks, agents, finished, builds }: ForecastFacts): BuildForecast {
  const basedOn = finished.length
  const held = heldOf(builds)
  if (basedOn < FINISHED_MIN) return { usd: null, hours: null, basedOn, held }
  // The delivery is an item, too; it comes after all of the others.
  const items = tasks + 1
  const rounds = Math.ceil(tasks / Math.max(1, agents)) + 1
  const ends = (values: readonly number[], times: number) => ({
    low: rounded(at(values, LOW) * times),
    high: rounded(at(values, HIGH) * times),
  })
  return {
    usd: ends(
      finished.map(({ usd }) => usd),
      items,
    ),
    hours: ends(
      finished.map(({ hours }) => hours),
      rounds,
    ),
    basedOn,
    held,
  }
}

/** The value below which a share of them lies. */
function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Both have to lie in their range. */
function heldOf(builds: ForecastFacts['builds']): BuildForecast['held'] {
  const tried = builds.filter(({ forecast, spentUSD }) => forecast?.usd != null && spentUSD !== null)
  const within = tried.filter(({ forecast, spentUSD, workedMs, earlierMs }) => {
    const { usd, hours } = forecast ?? {}
    if (usd == null || hours == null) return false
    const took = (earlierMs + workedMs) / HOUR_MS
    const spent = spentUSD ?? 0
    return spent >= usd.low && spent <= usd.high && took >= hours.low && took <= hours.high
  })
  return { forecasts: tried.length, within: within.length }
}
