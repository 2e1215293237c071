// Figures that compare two ways of doing the same thing in the same run.
import { quantile } from './table.ts'

// How many times as much; null where nothing was measured.
export function ratioOf(a: number | null, b: number | null): number | null {
  return a === null || b === null || b === 0 ? null : a / b
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5)
}

export type Rate = {
  candidates: number
  // Those of them that were given up because they took too long; null where that is not told.
  timedOut: number | null
  // Trying candidates alone, without start-up.
  searchSeconds: number
  // From the start of the process to its end.
  wholeSeconds: number
}

export function sumOf(rates: readonly Rate[]): Rate {
  return rates.reduce(
    (sum, rate) => ({
      candidates: sum.candidates + rate.candidates,
      timedOut: sum.timedOut === null || rate.timedOut === null ? null : sum.timedOut + rate.timedOut,
      searchSeconds: sum.searchSeconds + rate.searchSeconds,
      wholeSeconds: sum.wholeSeconds + rate.wholeSeconds,
    }),
    { candidates: 0, timedOut: 0, searchSeconds: 0, wholeSeconds: 0 },
  )
}

export type PerSecond = { searching: number | null; whole: number | null }

export function perSecond(rate: Rate): PerSecond {
  return {
    searching: ratioOf(rate.candidates, rate.searchSeconds),
    whole: ratioOf(rate.candidates, rate.wholeSeconds),
  }
}

// Candidates until the first green one; where there was none, as many as it is known to take at least.
export type Count = { candidates: number; green: boolean }

export function shown({ candidates, green }: Count): string {
  return green ? String(candidates) : `>${candidates}`
}

export type Pair = { theirs: number; ours: number }

export type Ratios = {
  pairs: number
  // The middle one of the ratios of the pairs.
  medianRatio: number | null
  // The middle one of theirs over the middle one of ours.
  ratioOfMedians: number | null
  // All of theirs over all of ours.
  ratioOfSums: number | null
}

export function ratiosOf(pairs: readonly Pair[]): Ratios {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const theirs = pairs.map((pair) => pair.theirs)
  const ours = pairs.map((pair) => pair.ours)
  return {
    pairs: pairs.length,
    medianRatio: median(pairs.flatMap((pair) => ratioOf(pair.theirs, pair.ours) ?? [])),
    ratioOfMedians: ratioOf(median(theirs), median(ours)),
    ratioOfSums: pairs.length === 0 ? null : ratioOf(sum(theirs), sum(ours)),
  }
}

export function times(ratio: number | null): string {
  if (ratio === null) return '-'
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)} x`
}

export function verdict(ratio: number | null, target: string, reached: boolean): string {
  if (ratio === null) return `${target}: not measured`
  return `${target}: ${times(ratio)}, ${reached ? 'reached' : 'not reached'}`
}
