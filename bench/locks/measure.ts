// The same build with locks, with overlaps offered last, and with neither: conflicts, idle time, total time.
import { median, round, table } from '../start/numbers.ts'
import { AGENTS, RULES, type Rule, type Simulated, simulate, type Workload } from './simulate.ts'

export interface Row {
  readonly workload: string
  readonly rule: Rule
  readonly sameFile: number
  readonly conflicts: number
  readonly idleMinutes: number
  readonly totalMinutes: number
}

/** Medians over so many builds, which differ in how long each task takes. */
export function measure(workloads: readonly Workload[], builds: number): Row[] {
  return workloads.flatMap((workload) =>
    RULES.map((rule) => {
      const seen = Array.from({ length: builds }, (_, seed) => simulate(workload, rule, seed + 1))
      const middle = (of: (each: Simulated) => number) => median(seen.map(of))
      return {
        workload: workload.name,
        rule,
        sameFile: middle(({ sameFile }) => sameFile),
        conflicts: middle(({ conflicts }) => conflicts),
        idleMinutes: middle(({ idleMinutes }) => idleMinutes),
        totalMinutes: middle(({ totalMinutes }) => totalMinutes),
      }
    }),
  )
}

const RULE_WORDS: Readonly<Record<Rule, string>> = {
  none: 'no rule',
  later: 'overlaps last',
  locks: 'locks',
}

export function printed(rows: readonly Row[], builds: number): string {
  const head = ['', 'same file', 'conflicts', 'of no rule', 'idle', 'total', 'of no rule']
  const texts = [...new Set(rows.map(({ workload }) => workload))].map((workload) => {
    const own = rows.filter((row) => row.workload === workload)
    const base = own.find(({ rule }) => rule === 'none')
    const lines = own.map((row) => [
      RULE_WORDS[row.rule],
      String(row.sameFile),
      String(row.conflicts),
      base === undefined || base.conflicts === 0 ? '-' : round(row.conflicts / base.conflicts, 2),
      `${round((100 * row.idleMinutes) / (AGENTS * row.totalMinutes))} %`,
      `${round(row.totalMinutes, 0)} min`,
      round(row.totalMinutes / (base?.totalMinutes ?? Number.NaN), 2),
    ])
    return table(workload, [head, ...lines])
  })
  return `${AGENTS} agents, medians of ${builds} builds each\n${texts.join('')}`
}
