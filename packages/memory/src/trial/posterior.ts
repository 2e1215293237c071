// How sure one may be that a lesson helps, from how often it went well with it and without.
export interface Tally {
  readonly good: number
  readonly bad: number
}

export interface TrialCounts {
  /** Runs that were shown the lesson. */
  readonly shown: Tally
  /** Runs to which it applied, and which were not shown it. */
  readonly withheld: Tally
}

/** Beta(1, 1) before anything is known. */
const PRIOR = 1

/** P(chance with the lesson > chance without), exactly. */
export function probabilityOfUplift({ shown, withheld }: TrialCounts): number {
  const [a, b] = [withheld.good + PRIOR, withheld.bad + PRIOR]
  const [c, d] = [shown.good + PRIOR, shown.bad + PRIOR]
  let sum = 0
  // With whole numbers the integral is a finite sum over the successes with the lesson.
  for (let i = 0; i < c; i += 1)
    sum += Math.exp(logBeta(a + i, b + d) - Math.log(d + i) - logBeta(1 + i, d) - logBeta(a, b))
  return Math.min(1, Math.max(0, sum))
}

export interface Uplift {
  /** Points between 0 and 1. */
  readonly middle: number
  readonly low: number
  readonly high: number
}

/** Fewer would show, and more costs its square: a page of lessons is worked out while others wait. */
const CELLS = 100

/** The uplift in which the true one lies with this chance, half of the rest on each side. */
export function upliftOf({ shown, withheld }: TrialCounts, chance = 0.8): Uplift {
  const one = cellsOf(shown)
  const other = cellsOf(withheld)
  // Index i + CELLS stands for a difference of i cells.
  const differences = new Float64Array(2 * CELLS + 1)
  for (const [i, p] of one.entries())
    for (const [j, q] of other.entries())
      differences[i - j + CELLS] = (differences[i - j + CELLS] ?? 0) + p * q
  const at = (share: number): number => {
    let sum = 0
    for (const [index, mass] of differences.entries()) {
      // A difference of cells is spread over its neighbours, so that between two of them one may go by the share.
      if (sum + mass >= share && mass > 0) return (index - CELLS - 0.5 + (share - sum) / mass) / CELLS
      sum += mass
    }
    return 1
  }
  const rest = (1 - chance) / 2
  return { middle: at(0.5), low: at(rest), high: at(1 - rest) }
}

/** The posterior of a chance as weights of equal cells between 0 and 1. */
function cellsOf({ good, bad }: Tally): Float64Array {
  const cells = new Float64Array(CELLS)
  let sum = 0
  for (let cell = 0; cell < CELLS; cell += 1) {
    const p = (cell + 0.5) / CELLS
    const weight = Math.exp(good * Math.log(p) + bad * Math.log1p(-p) - peak(good, bad))
    cells[cell] = weight
    sum += weight
  }
  return cells.map((weight) => weight / sum)
}

/** The logarithm at the likeliest chance: taken off, so that nothing becomes too small to count. */
function peak(good: number, bad: number): number {
  const all = good + bad
  const part = (count: number) => (count === 0 ? 0 : count * Math.log(count / all))
  return part(good) + part(bad)
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** Logarithms of (n - 1)! for whole numbers, kept as far as they were asked for. */
const factorials: number[] = [0, 0]

function logGamma(n: number): number {
  for (let k = factorials.length; k < n; k += 1) factorials[k] = (factorials[k - 1] ?? 0) + Math.log(k)
  return factorials[n - 1] ?? 0
}
