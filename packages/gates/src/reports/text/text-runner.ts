// What the reader of a runner's plain output knows of its runs.
import type { ReportFormat, TestReport } from '@treadle/contracts/gate'

export interface TextRunner {
  /** The counts of a run stand on this line, or begin on it. */
  readonly ends: (lines: readonly string[], at: number) => boolean
  /** The line after the last that belongs to the run. */
  readonly closes: (lines: readonly string[], at: number) => number
  /** A line that each run prints before its counts, and nothing else does. */
  readonly begins: RegExp
  /** That line stands at the beginning of each run, and only there. */
  readonly announced?: true
  /** A run that was announced and has no counts broke off; this is the format of its report. */
  readonly format?: ReportFormat
  /** Counts in the form that only the runner itself prints: they are believed before others of an announced run. */
  readonly genuine?: (lines: readonly string[], at: number) => boolean
  /** It never prints another form: green counts of an announced run that lack it are what a test printed. */
  readonly isAlwaysGenuine?: true
  /** How many failed by the line of the counts: where nothing else tells which of several are a run's own, most hold. */
  readonly failedIn?: (counts: string, begin: string) => number
  /** Where the output of a run may have begun, by the line of its first mark: what its first test prints is before it. */
  readonly opens?: (lines: readonly string[], begin: number) => Opening
  /** What the run prints of each test; its counts are confirmed where one of these adds up to them. */
  readonly marks?: readonly Marks[]
  /** Reads the run whose counts are at that line; `isLast`: the output ends with these lines. */
  readonly read: (lines: readonly string[], cwd: string, at: number, isLast?: boolean) => TestReport | null
}

export interface Opening {
  readonly from: number
  /** The runner itself printed that line: nothing between it and the first mark is a run of another. */
  readonly isSure: boolean
}

/** A way of a runner to tell of each test, line by line. */
export interface Marks {
  /** How many tests the line tells of, by how they ended; null if it is none of these lines. */
  readonly on: (line: string) => readonly number[] | null
  /** How many there are according to the counts that begin at this line. */
  readonly claimed: (lines: readonly string[], at: number) => readonly number[]
}

export interface End {
  readonly runner: TextRunner
  readonly at: number
}
