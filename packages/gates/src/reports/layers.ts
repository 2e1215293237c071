// One output may hold several runs, of several runners: each is read, and what is left between them is looked at again.
import type { TestReport } from '@treadle/contracts/gate'
import { plainText } from '../evidence.ts'
import { addUp, emptyReport, makeFailure } from './report.ts'

/** Lines as they came and as a person sees them, one for one. */
export interface Piece {
  readonly raw: readonly string[]
  readonly plain: readonly string[]
  /** A test of a run may have printed it: reports in it are weak. */
  readonly isDoubtful?: boolean
}

/** From a line up to, but not with, another. */
export interface Range {
  readonly from: number
  readonly to: number
  /** Where the counts of the run stand. */
  readonly counts?: number
}

export interface LayerResult {
  readonly reports: readonly TestReport[]
  /** What belongs to these runs: what their tests print is not taken for runs of its own. */
  readonly ranges: readonly Range[]
  /** Lines before a run that its first test may have printed. */
  readonly doubtful?: readonly Range[]
  /** Why something that looks like a report could not be read. */
  readonly problems?: readonly string[]
  /** Reports that any test could have printed: beside a run that is sure they count only if they are red. */
  readonly weak?: ReadonlySet<TestReport>
}

/** Null if it finds nothing of its kind. */
export type Layer = (piece: Piece, cwd: string) => LayerResult | null

/** The layers in turn, each on what those before it have left; null if there is no run. */
export function readLayers(layers: readonly Layer[], output: string, cwd: string): TestReport | null {
  let pieces: readonly Piece[] = [pieceOf(output)]
  const reports: TestReport[] = []
  const weak = new Set<TestReport>()
  const problems: string[] = []
  const keep = (found: LayerResult, { isDoubtful }: Piece): void => {
    // One by one: as arguments of a call, a hostile number of them would not fit on the stack.
    for (const report of found.reports) reports.push(report)
    for (const report of isDoubtful ? found.reports : (found.weak ?? [])) weak.add(report)
    for (const problem of found.problems ?? []) problems.push(problem)
  }
  for (const layer of layers) {
    pieces = pieces.flatMap((piece) => {
      const found = layer(piece, cwd)
      if (found === null) return [piece]
      keep(found, piece)
      return gapsIn(piece, found.ranges, found.doubtful ?? [])
    })
  }
  if (reports.length > RUNS_MAX) return tooManyRuns()
  if (reports.length === 0) return problems.length === 0 ? null : emptyReport(problems.join('; '))
  const isSure = reports.some((each) => !weak.has(each))
  const told = reports.filter((each) => !isSure || !weak.has(each) || each.failed > 0)
  const report = addUp(withoutTwins(told))
  return problems.length === 0 ? report : { ...report, warnings: [...report.warnings, ...problems] }
}

export function pieceOf(output: string): Piece {
  const raw = output.split('\n')
  return { raw, plain: raw.map(lastShown) }
}

/** What a terminal shows of a line that was written over: the last that was written. */
function lastShown(line: string): string {
  const plain = plainText(line).replace(/\r+$/, '')
  return plain.slice(plain.lastIndexOf('\r') + 1)
}

/** More runs than this are more than anybody has, and each costs a reading. */
export const RUNS_MAX = 5_000

/** A failure stands for what was not read: it may hold one. */
function tooManyRuns(): TestReport {
  const message = `the output tells of more than ${RUNS_MAX} runs of tests, and no more than that are read`
  const failures = [makeFailure({ names: ['test run'], message })]
  return { ...emptyReport(message), total: 1, failed: 1, failures }
}

function gapsIn(piece: Piece, ranges: readonly Range[], doubtful: readonly Range[]): Piece[] {
  const gaps: Piece[] = []
  const add = (from: number, to: number, isDoubtful: boolean): void => {
    const lines = piece.plain.slice(from, to)
    if (lines.every((line) => line.trim() === '')) return
    gaps.push({
      raw: piece.raw.slice(from, to),
      plain: lines,
      isDoubtful: isDoubtful || piece.isDoubtful === true,
    })
  }
  const opens = new Map(doubtful.map(({ from, to }) => [to, from]))
  let at = 0
  const end = { from: piece.raw.length, to: piece.raw.length }
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from).concat(end)) {
    const open = Math.max(at, opens.get(from) ?? from)
    add(at, open, false)
    add(open, from, true)
    at = Math.max(at, to)
  }
  return gaps
}

// A runner with two reporters tells one run in two ways.
const twins: readonly ReadonlySet<string>[] = [
  new Set(['vitest-text', 'vitest-json', 'tap', 'junit', 'ctrf']),
  new Set(['jest-text', 'jest-json', 'junit', 'ctrf']),
  new Set(['playwright-text', 'playwright-json', 'junit', 'ctrf']),
  new Set(['mocha-text', 'mocha-json', 'tap', 'junit', 'ctrf']),
  new Set(['node-text', 'tap', 'junit']),
  new Set(['ava-text', 'tap']),
  new Set(['pytest-text', 'junit']),
  new Set(['go-text', 'go-json']),
  new Set(['cargo-text', 'libtest-json']),
]

// How many runs with the same counts are looked at for one that says more.
const alikeMax = 20

/** Only what another report says too is left out, of the same tests: no failure can be lost by it. */
function withoutTwins(reports: readonly TestReport[]): TestReport[] {
  const kept = new Map<string, { report: TestReport; failed: ReadonlySet<string> }[]>()
  const left = new Set<TestReport>()
  for (const report of reports) {
    const key = `${report.passed} ${report.skipped}`
    const failed = new Set(failedIn(report))
    const alike = kept.get(key) ?? []
    const twins = alike.slice(-alikeMax).filter((each) => areRelated(each.report.format, report.format))
    const more = twins.find((each) => areIn(failed, each.failed) && report.failed <= each.report.failed)
    if (more !== undefined) left.add(report)
    else {
      // A reporter that leaves hooks out says less than the other.
      const less = twins.find((each) => areIn(each.failed, failed) && each.report.failed <= report.failed)
      if (less !== undefined) left.add(less.report)
      kept.set(key, [...alike.filter((each) => each !== less), { report, failed }].slice(-alikeMax))
    }
  }
  return reports.filter((report) => !left.has(report))
}

const areIn = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((each) => all.has(each))

function areRelated(a: string, b: string): boolean {
  return a !== b && twins.some((set) => set.has(a) && set.has(b))
}

/** The names of what failed; formats differ in what they put before a test's own name. */
function failedIn({ failures }: TestReport): string[] {
  return failures.map(({ id }) => (id.split(' > ').at(-1) ?? '').replaceAll('\\', '').trim())
}

/** For formats that are read whole: from a line of theirs to the one that closes, as often as there are such. */
export function rangesOf(lines: readonly string[], own: RegExp, closes: RegExp): Range[] {
  const ranges: { from: number; to: number }[] = []
  let isOpen = false
  lines.forEach((line, at) => {
    if (line.length > lineCharsMax) return
    const isEnd = closes.test(line)
    if (!isEnd && !own.test(line)) return
    const last = ranges.at(-1)
    if (isOpen && last !== undefined) last.to = at + 1
    else ranges.push({ from: at, to: at + 1 })
    isOpen = !isEnd
  })
  return ranges
}

const lineCharsMax = 2_000
