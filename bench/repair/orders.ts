// What is counted when one list of candidates is tried in several orders, each up to a cap.
import type { Faults } from './bug.ts'
import { type Count, median, type Pair, type Ratios, ratiosOf } from './comparison.ts'

export type OrderRow = {
  id: string
  faults: Faults
  // How many candidates there are to be ordered.
  edits: number
  ours: Count
  random: readonly Count[]
}

type Outcome = { firstGreen: number | null; candidates: number; outOfTime: boolean }

// What found nothing would have needed more than the cap; what ran out of time, more than it had tried.
export function countRandom({ firstGreen, candidates, outOfTime }: Outcome, cap: number): Count {
  if (firstGreen !== null) return { candidates: firstGreen, green: true }
  return { candidates: outOfTime ? Math.min(candidates, cap) : cap, green: false }
}

// Against ourselves: nothing found is the whole cap, however it came.
export function countOurs({ firstGreen }: Outcome, cap: number): Count {
  return { candidates: firstGreen ?? cap, green: firstGreen !== null }
}

// Null where no order found anything: such a bug says nothing about orders.
export function pairOf({ ours, random }: OrderRow): Pair | null {
  const theirs = median(random.map(({ candidates }) => candidates))
  if (theirs === null || !(ours.green || random.some(({ green }) => green))) return null
  return { theirs, ours: ours.candidates }
}

export type OrderSummary = Ratios & {
  name: string
  bugs: number
  oursGreen: number
  // Of a trial with each seed, how many found something on average.
  randomGreen: number
  medianOurs: number | null
  medianRandom: number | null
}

export function summaryOf(name: string, rows: readonly OrderRow[]): OrderSummary {
  const pairs = rows.flatMap((row) => pairOf(row) ?? [])
  const trials = rows.flatMap(({ random }) => random)
  const seeds = rows[0]?.random.length ?? 1
  return {
    name,
    bugs: rows.length,
    oursGreen: rows.filter(({ ours }) => ours.green).length,
    randomGreen: trials.filter(({ green }) => green).length / seeds,
    medianOurs: median(pairs.map(({ ours }) => ours)),
    medianRandom: median(pairs.map(({ theirs }) => theirs)),
    ...ratiosOf(pairs),
  }
}

export function summariesOf(rows: readonly OrderRow[]): OrderSummary[] {
  return [
    summaryOf(
      'single faults',
      rows.filter(({ faults }) => faults === 'single'),
    ),
    summaryOf(
      'two and three faults',
      rows.filter(({ faults }) => faults !== 'single'),
    ),
    summaryOf('all', rows),
  ]
}
