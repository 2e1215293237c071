// Runners that end a run with its counts: the lines are cut at each of these, so that no run hides another.
import type { TestReport } from '@treadle/contracts/gate'
import type { Layer, LayerResult, Piece, Range } from '../layers.ts'
import { makeFailure, summarised } from '../report.ts'
import { confirmedIn, firstFrom, isPrinted } from './confirmed.ts'
import type { End, Opening, TextRunner } from './text-runner.ts'

interface Run extends Range {
  readonly runner: TextRunner
  readonly report: TestReport
  /** Where the lines begin that it was read from. */
  readonly start: number
  readonly began: boolean
}

const lineCharsMax = 2_000
// How often lines are read that were read before: a text may be nothing but counts.
const againMax = 100

function endsIn(plain: readonly string[], runners: readonly TextRunner[]): End[] {
  return plain.flatMap((line, at): End[] => {
    if (line.length > lineCharsMax) return []
    const runner = runners.find((each) => each.ends(plain, at))
    return runner === undefined ? [] : [{ runner, at }]
  })
}

/** Every run that has counts; one that has nothing but these is no more than somebody's word. */
export function runsOf(runners: readonly TextRunner[]): Layer {
  return ({ plain }: Piece, cwd: string): LayerResult | null => {
    const runs = readRuns(plain, endsIn(plain, runners), cwd)
    if (runs.length === 0) return null
    const reports = runs.map(({ report }) => report)
    return { reports, ranges: runs, weak: new Set(reports) }
  }
}

/** The runs whose counts agree with what they printed of each test. What is printed inside of one is not looked at. */
export function confirmedRunsOf(runners: readonly TextRunner[]): Layer {
  return ({ plain }: Piece, cwd: string): LayerResult | null => {
    const ends = endsIn(plain, runners)
    const places = ends.map((end) => end.at)
    const runs = confirmedIn(plain, ends).flatMap(({ runner, at, begin }): Run[] => {
      // From the end of whatever run is before it: what a file that cannot be loaded says comes before any mark.
      const start = (places[firstFrom(places, begin) - 1] ?? -1) + 1
      const run = readRun(plain, { runner, at, start, cwd })
      return run === null ? [] : [{ ...run, from: Math.min(begin, run.to) }]
    })
    const opened = withOpenings(plain, runs)
    const all = [...opened, ...brokenOff(plain, runners, { ends, runs: opened })]
    if (all.length === 0) return null
    const doubtful = opened.map(({ open, from }) => ({ from: open, to: from }))
    return { reports: all.map(({ report }) => report), ranges: all, doubtful }
  }
}

/** The runs in order, each with where its output may have begun; what its first test printed is no run of its own. */
function withOpenings(plain: readonly string[], runs: readonly Run[]): (Run & { open: number })[] {
  const kept: (Run & { open: number })[] = []
  for (const run of runs) {
    const { from, isSure } = openingOf(plain, run, kept)
    while (isSure && (kept.at(-1)?.from ?? -1) >= from) kept.pop()
    kept.push(isSure ? { ...run, from, open: from } : { ...run, open: from })
  }
  return kept
}

/** Where a run began; not inside of another, whose output may look like a beginning. */
function openingOf(plain: readonly string[], { runner, from: begin }: Run, before: readonly Run[]): Opening {
  const opening = runner.opens?.(plain, begin) ?? { from: begin, isSure: false }
  const last = before.at(-1)
  if (!opening.isSure || last === undefined || opening.from <= last.from || opening.from >= last.to)
    return opening
  const outside = runner.opens?.(plain, last.from) ?? opening
  return outside.isSure ? outside : opening
}

/** Runs that are announced and never counted: what stands in them is no proof that they ended well. */
function brokenOff(
  plain: readonly string[],
  runners: readonly TextRunner[],
  { ends, runs }: { ends: readonly End[]; runs: readonly Run[] },
): (Range & { report: TestReport })[] {
  const announced = runners.filter((runner) => runner.format !== undefined)
  return announced.flatMap((runner) => {
    const from = plain.findLastIndex((line) => line.length <= lineCharsMax && runner.begins.test(line))
    const isInRun = runs.some((run) => run.from <= from && from < run.to)
    if (from < 0 || runner.format === undefined || isInRun) return []
    const isOwn = (end: End): boolean =>
      end.runner === runner && end.at > from && !isPrinted(plain, end, from)
    if (ends.some(isOwn)) return []
    const message = 'the run began, and the output ends before its counts'
    const failures = [makeFailure({ names: ['test run'], idFile: '', message })]
    return [{ from, to: plain.length, report: summarised(runner.format, noCounts, failures) }]
  })
}

const noCounts = { passed: 0, failed: 1, skipped: 0 }

function readRuns(plain: readonly string[], ends: readonly End[], cwd: string): Run[] {
  const runs: Run[] = []
  let start = 0
  let again = 0
  for (const end of ends) {
    const last = runs.at(-1)
    const read = (from: number): Run | null => {
      again += 1
      return readRun(plain, { ...end, start: from, cwd })
    }
    start = Math.max(start, last?.to ?? 0)
    const run = readRun(plain, { ...end, start, cwd })
    const mayBePart = last !== undefined && again <= againMax
    const same = mayBePart ? partOf(last, { runner: end.runner, run, read }) : null
    if (same !== null) runs[runs.length - 1] = same
    else if (run !== null) runs.push(run)
    else if (end.at >= start) again += 1
    // What was gone through in vain this often is not gone through again; each counts then stands for itself.
    if (again > againMax) start = Math.max(start, end.at + 1)
  }
  return runs
}

interface Later {
  readonly runner: TextRunner
  /** Read from after the last run. */
  readonly run: Run | null
  readonly read: (start: number) => Run | null
}

/** The last run as it is with the later counts, if these are of the same run; null if they are of another. */
function partOf(last: Run, { runner, run, read }: Later): Run | null {
  if (runner !== last.runner || !last.began || run?.began) return null
  // Two reporters tell one run.
  if (run !== null && alike(last.report, run.report)) return { ...last, to: run.to }
  // Else what looked like the end of the run was printed by one of its tests, or the later was, by what came after it.
  const whole = runner.announced ? read(last.start) : null
  const isBetter = whole !== null && whole.report.failed < last.report.failed
  return isBetter && runner.failedIn !== undefined ? { ...last, to: whole.to } : whole
}

interface At extends End {
  readonly start: number
  readonly cwd: string
}

function readRun(lines: readonly string[], { runner, at, start, cwd }: At): Run | null {
  const to = Math.max(at + 1, runner.closes(lines, at))
  const report = runner.read(lines.slice(start, to), cwd, at - start, isLast(lines, to))
  if (report === null) return null
  const begin = nextLine(lines, start, (line, here) => here > at || runner.begins.test(line))
  const began = begin <= at
  return { runner, report, start, began, from: began ? begin : at, to, counts: at }
}

/** Nothing comes after the line before, not even an empty line. */
const isLast = (lines: readonly string[], to: number): boolean =>
  to >= lines.length || (to === lines.length - 1 && lines[to] === '')

function alike(a: TestReport, b: TestReport): boolean {
  return a.passed === b.passed && a.failed === b.failed && a.skipped === b.skipped
}

// Asked for each counts of a text, which may have very many of them and no empty line.
const emptyAfter = new WeakMap<readonly string[], Int32Array>()

/** The lines up to the next empty one belong to it. */
export function toEmptyLine(lines: readonly string[], at: number): number {
  const known = emptyAfter.get(lines) ?? findEmpty(lines)
  emptyAfter.set(lines, known)
  return known[at + 1] ?? lines.length
}

/** For each line, where the first empty one from there on is. */
function findEmpty(lines: readonly string[]): Int32Array {
  const next = new Int32Array(lines.length)
  let empty = lines.length
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    if (lines[at]?.trim() === '') empty = at
    next[at] = empty
  }
  return next
}

/** The place of the first line from there on that is such; after the last if there is none. */
export function nextLine(
  lines: readonly string[],
  from: number,
  is: (line: string, at: number) => boolean,
): number {
  let at = from
  while (at < lines.length && !is(lines[at] ?? '', at)) at += 1
  return at
}
