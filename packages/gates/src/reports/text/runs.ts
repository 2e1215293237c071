// Runners that end a run with its counts: the lines are cut at each of these, so that no run hides another.
import type { TestReport } from '@treadle/contracts/gate'
import type { Layer, LayerResult, Piece, Range } from '../layers.ts'
import type { TextReader } from './lines.ts'

export interface TextRunner {
  /** The counts of a run stand on this line, or begin on it. */
  readonly ends: (lines: readonly string[], at: number) => boolean
  /** The line after the last that belongs to the run. */
  readonly closes: (lines: readonly string[], at: number) => number
  /** A line that each run prints before its counts, and nothing else does. */
  readonly begins: RegExp
  /** That line stands at the beginning of each run, and only there. */
  readonly announced?: true
  /** Failures come after the counts, where nothing tells how far they go: up to the next counts. */
  readonly goesOn?: true
  /** Reads the last run of the lines, of which there is one. */
  readonly read: TextReader
}

interface End {
  readonly runner: TextRunner
  readonly at: number
}

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

export function runsOf(runners: readonly TextRunner[]): Layer {
  return ({ plain }: Piece, cwd: string): LayerResult | null => {
    const ends = plain.flatMap((line, at): End[] => {
      if (line.length > lineCharsMax) return []
      const runner = runners.find((each) => each.ends(plain, at))
      return runner === undefined ? [] : [{ runner, at }]
    })
    const runs = readRuns(plain, ends, cwd)
    return runs.length === 0 ? null : { reports: runs.map(({ report }) => report), ranges: runs }
  }
}

function readRuns(plain: readonly string[], ends: readonly End[], cwd: string): Run[] {
  const runs: Run[] = []
  let start = 0
  let again = 0
  for (const [index, end] of ends.entries()) {
    const next = ends[index + 1]?.at ?? plain.length
    const last = runs.at(-1)
    const read = (from: number): Run | null => {
      again += 1
      return readRun(plain, { ...end, start: from, next, cwd })
    }
    start = Math.max(start, last?.to ?? 0)
    const run = readRun(plain, { ...end, start, next, cwd })
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
  // Else what looked like the end of the run was printed by one of its tests.
  return runner.announced ? read(last.start) : null
}

interface At extends End {
  readonly start: number
  /** Where the next counts are. */
  readonly next: number
  readonly cwd: string
}

function readRun(lines: readonly string[], { runner, at, start, next, cwd }: At): Run | null {
  const to = Math.max(at + 1, runner.closes(lines, at))
  const report = runner.read(lines.slice(start, runner.goesOn ? next : to), cwd)
  if (report === null) return null
  const begin = nextLine(lines, start, (line, here) => here > at || runner.begins.test(line))
  const began = begin <= at
  return { runner, report, start, began, from: began ? begin : at, to }
}

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
