// Means over many seeds, and the table that the benchmark prints.
import { round, table } from '../start/numbers.ts'
import type { OurTally, Pair, SeedTally, Setting } from './measure.ts'

export interface Row {
  readonly scenario: string
  readonly tests: number
  readonly seed004: Means<SeedTally>
  readonly ours: Means<OurTally>
  /** Null where ours needs no call. */
  readonly ratio: number | null
}

/** Of true and false: the share of true. */
type Means<T> = { readonly [K in keyof T]: T[K] extends number | boolean ? number : Means<T[K]> }

export interface Section {
  readonly setting: Setting
  readonly rows: readonly Row[]
}

/** Model calls of the seed's flow for each of ours, on its own trace. */
export const RATIO_MIN = 8

export function rowOf(scenario: string, tests: number, pairs: readonly Pair[]): Row {
  const seed004 = meansOf(pairs.map((pair) => pair.seed004))
  const ours = meansOf(pairs.map((pair) => pair.ours))
  return { scenario, tests, seed004, ours, ratio: ours.calls === 0 ? null : seed004.calls / ours.calls }
}

function meansOf<T extends object>(all: readonly T[]): Means<T> {
  const [first] = all
  if (first === undefined) throw new RangeError('there is no mean of nothing')
  const entries = Object.keys(first).map((key) => {
    const values = all.map((one) => one[key as keyof T])
    if (values.every((value) => typeof value === 'object' && value !== null)) return [key, meansOf(values)]
    return [key, values.reduce((sum, value) => sum + Number(value), 0) / all.length]
  })
  return Object.fromEntries(entries)
}

const headings = [
  'calls 004',
  'calls ours',
  'ratio',
  'fixes 004',
  'fixes ours',
  'shared 004',
  'shared ours',
  'late ours',
  'tests 004',
  'tests ours',
  'passing 004',
  'marked 004',
  'passing ours',
  'of',
  'given up',
]

export function printTable(sections: readonly Section[]): string {
  return sections
    .map(({ setting, rows }) =>
      table(titleOf(setting), [['', ...headings], ...rows.map((row) => [row.scenario, ...cellsOf(row)])]),
    )
    .join('')
}

function titleOf({ chances: { evidence, cold }, reach }: Setting): string {
  const luck =
    evidence === cold
      ? `a fix succeeds with ${evidence}, with evidence or without`
      : `a fix succeeds with ${evidence} if the error is shown, with ${cold} if not`
  return `${luck}; a call mends ${reach === 'each' ? 'each cause it is asked about' : 'one cause at most'}`
}

function cellsOf({ seed004, ours, ratio, tests }: Row): string[] {
  return [
    round(seed004.calls),
    round(ours.calls),
    ratio === null ? 'no call' : `${round(ratio)} x`,
    round(seed004.fixes),
    round(ours.fixes),
    round(seed004.sharedFixes, 2),
    round(ours.sharedFixes, 2),
    round(ours.idleFixes, 2),
    round(seed004.testsRun),
    round(ours.testsRun),
    round(seed004.passing, 2),
    round(seed004.marked, 2),
    round(ours.passing, 2),
    String(tests),
    `${round(100 * ours.givenUp)} %`,
  ]
}
