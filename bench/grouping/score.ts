// How well groups match the true causes, pair by pair.
export type Method = 'one job per test' | 'exact message' | 'ours, no sources' | 'ours, not watched' | 'ours'

/** One scenario: the causes of each failure, and the group that each method put it in. */
export type Judged = {
  readonly causes: readonly ReadonlySet<string>[]
  readonly groups: readonly (string | number)[]
  readonly faults: number
}

export type Score = {
  readonly scenarios: number
  readonly failures: number
  readonly faults: number
  readonly jobs: number
  /** Of the pairs in one group, those with a cause in common; null if no group has a pair. */
  readonly precision: number | null
  /** Of the pairs with a cause in common, those in one group. */
  readonly recall: number | null
  readonly jobsPerFault: number
}

export const targets = { precision: 0.95, recall: 0.8, jobsPerFault: 1.3 }

export function scoreOf(judged: readonly Judged[]): Score {
  const all = judged.flatMap(pairsIn)
  const together = all.filter((pair) => pair.isTogether)
  const same = all.filter((pair) => pair.isSame)
  const both = same.filter((pair) => pair.isTogether).length
  const jobs = sum(judged.map(({ groups }) => new Set(groups).size))
  const faults = sum(judged.map((each) => each.faults))
  return {
    scenarios: judged.length,
    failures: sum(judged.map(({ causes }) => causes.length)),
    faults,
    jobs,
    precision: together.length === 0 ? null : both / together.length,
    recall: same.length === 0 ? null : both / same.length,
    jobsPerFault: jobs / faults,
  }
}

function pairsIn({ causes, groups }: Judged): { isSame: boolean; isTogether: boolean }[] {
  return causes.flatMap((mine, a) =>
    causes.slice(a + 1).map((other, at) => {
      const isSame = [...mine].some((cause) => other.has(cause))
      return { isSame, isTogether: groups[a] === groups[a + 1 + at] }
    }),
  )
}

export function meets({ precision, recall, jobsPerFault }: Score): boolean {
  return (
    (precision ?? 0) >= targets.precision &&
    (recall ?? 0) >= targets.recall &&
    jobsPerFault <= targets.jobsPerFault
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
