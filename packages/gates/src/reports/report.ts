// What the readers of the formats share: bounded, printable failures and counts that add up.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ReportFormat, type TestFailure, TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { plainText } from '../evidence.ts'
import { fileName, framesOf, placeOf } from './frames.ts'

export interface Outcomes {
  passed: number
  skipped: number
  readonly failures: TestFailure[]
  readonly warnings: string[]
  /** Names of the tests that passed, of a format that tells them. */
  readonly ran: string[]
}

export function noOutcomes(): Outcomes {
  return { passed: 0, skipped: 0, failures: [], warnings: [], ran: [] }
}

/** A report with the names of the tests that passed in it; these are kept apart from what people are shown. */
export const NamedReport = TestReport.extend({ ran: z.array(z.string()).optional() })
export type NamedReport = z.infer<typeof NamedReport>

const ranMax = 50_000
const ranCharsMax = 300

export function addPassed(outcomes: Outcomes, names: readonly (string | null | undefined)[]): void {
  outcomes.passed += 1
  if (outcomes.ran.length <= ranMax)
    outcomes.ran.push(withoutColours(cut(names.filter((name) => name).join(' > '), ranCharsMax)))
}

const failuresMax = 200
const messageCharsMax = 8_000
const stackCharsMax = 16_000
const outputCharsMax = 4_000

export function toReport(format: ReportFormat, outcomes: Outcomes): NamedReport {
  const { passed, skipped, failures, ran } = outcomes
  const warnings = [...outcomes.warnings]
  if (failures.length > failuresMax) {
    warnings.push(`${failures.length} tests failed; the first ${failuresMax} are listed`)
  }
  return {
    format,
    total: passed + skipped + failures.length,
    passed,
    failed: failures.length,
    skipped,
    failures: failures.slice(0, failuresMax),
    warnings,
    // All of them, or none.
    ...(passed > 0 && ran.length === passed ? { ran } : {}),
  }
}

export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

/**
 * A report whose counts stand in a summary, and whose failures may be described elsewhere, in part or not at all.
 * Where the two differ the worse one holds.
 */
export function summarised(
  format: ReportFormat,
  counts: TestCounts,
  failures: readonly TestFailure[],
  warnings: readonly string[] = [],
): TestReport {
  const failed = Math.max(counts.failed, failures.length)
  const listed = failures.slice(0, failuresMax)
  const said = [...warnings]
  if (failed > 0 && listed.length === 0) {
    const message = `the summary counts ${failed} failed tests and describes none`
    listed.push(makeFailure({ names: ['test run'], message }))
  } else if (failed > listed.length) {
    said.push(`${failed} tests failed; ${listed.length} of them are described`)
  }
  const { passed, skipped } = counts
  return {
    format,
    total: passed + failed + skipped,
    passed,
    failed,
    skipped,
    failures: listed,
    warnings: said,
  }
}

/** Several runs as one: all of them count. The format is that of the first. */
export function addUp(reports: readonly NamedReport[]): NamedReport {
  const [first, ...rest] = reports
  if (first === undefined) return emptyReport('no test report could be read')
  if (rest.length === 0) return first
  const sumOf = (key: 'total' | 'passed' | 'failed' | 'skipped'): number =>
    reports.reduce((all, report) => all + report[key], 0)
  const failures = reports.flatMap((report) => report.failures)
  const warnings = [...new Set(reports.flatMap((report) => report.warnings))]
  const failed = sumOf('failed')
  const ran = reports.flatMap((report) => report.ran ?? [])
  if (failures.length > failuresMax) {
    warnings.push(`${failed} tests failed; the first ${failuresMax} are listed`)
  }
  return {
    format: first.format,
    total: sumOf('total'),
    passed: sumOf('passed'),
    failed,
    skipped: sumOf('skipped'),
    failures: failures.slice(0, failuresMax),
    warnings,
    ...(ran.length > 0 && ran.length === sumOf('passed') ? { ran } : {}),
  }
}

export function emptyReport(warning: string): TestReport {
  return { format: 'none', total: 0, passed: 0, failed: 0, skipped: 0, failures: [], warnings: [warning] }
}

export interface FailureParts {
  readonly names: readonly string[]
  readonly file?: string | null | undefined
  readonly line?: number | null | undefined
  readonly message: string
  readonly stack?: string | null | undefined
  readonly expected?: string | null | undefined
  readonly actual?: string | null | undefined
  readonly durationMs?: number | null | undefined
  readonly output?: string | null | undefined
  /** With it, the stack is taken apart. */
  readonly cwd?: string | undefined
  /** What names the test instead of the file, where the file is only where it failed. */
  readonly idFile?: string | undefined
}

export function makeFailure(parts: FailureParts): TestFailure {
  const stack = parts.stack ? cut(parts.stack, stackCharsMax) : null
  const frames = stack !== null && parts.cwd !== undefined ? framesOf(stack, parts.cwd) : []
  const place = parts.file ? null : placeOf(frames)
  const file = parts.file ? plainText(parts.file) : (place?.file ?? null)
  const first = parts.idFile ?? file
  // A file that failed as a whole is named after itself.
  const names = [first, ...parts.names.filter((name) => name !== first)].filter((name) => name)
  const output = parts.output?.trim() ? cut(parts.output.trim(), outputCharsMax) : null
  return {
    id: withoutColours(cut(names.join(' > '), 1_000)) || 'unnamed test',
    file,
    line: parts.line ?? place?.line ?? null,
    message: cut(parts.message.trim(), messageCharsMax) || 'no message',
    stack,
    expected: cutOrNull(parts.expected),
    actual: cutOrNull(parts.actual),
    durationMs: parts.durationMs ?? null,
    ...(frames.length > 0 ? { frames } : {}),
    ...(output !== null ? { output } : {}),
  }
}

/** Writers of XML take the escape out of a colour code, and leave its rest; it is one if something ends it. */
function withoutColours(text: string): string {
  if (!/\[(?:0|2[2-9]|[34]9)m/.test(text)) return text
  return text.replace(/\[\d{1,3}(?:;\d{1,3}){0,4}m/g, '')
}

function cutOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : cut(text, messageCharsMax)
}

function cut(text: string, charsMax: number): string {
  const plain = plainText(text)
  return plain.length > charsMax ? `${plain.slice(0, charsMax).toWellFormed()}…` : plain
}

/** An error's text is its message, then lines that begin with `at`. */
export function splitError(text: string): { message: string; stack: string | null } {
  const at = text.search(/^[ \t]+at .+$/m)
  return at < 0 ? { message: text, stack: null } : { message: text.slice(0, at), stack: text }
}

/** Mocha's time-outs name their file in brackets at the end, and have no stack of their own. */
export function fileInMessage(message: string, cwd: string): string | null {
  const file = /^.*\((\/[^()\n]+\.\w+)\)$/m.exec(message)?.[1]
  return file === undefined ? null : fileName(file, cwd)
}

/** Node's word for an error that came too late for its test: it fails the run, and no count tells of it. */
export function lateError(lines: readonly string[]): TestFailure | null {
  const said = lines.find((line) => line.length <= lateCharsMax && late.test(line))
  if (said === undefined) return null
  return makeFailure({ names: ['test run'], idFile: '', message: said.replace(/^ *(?:ℹ|#) /, '') })
}

const lateCharsMax = 2_000
const late =
  /^ *(?:ℹ|#) Error: Test ".*generated asynchronous activity after the test ended\..*(?:uncaughtException|unhandledRejection) event/

const scriptName = /^\S+\.[cm]?[jt]sx?$/
const testName = /(?:^|[/._-])(?:test|spec)[._-]|\//

/** Node reports a file without tests as if it were one, under its own name. */
export function isTestFile(name: string, cwd: string): boolean {
  return scriptName.test(name) && (testName.test(name) || existsSync(resolve(cwd, name)))
}

export function noTestsIn(file: string, cwd: string): string {
  return `${fileName(file, cwd)} reported no tests; that it ended well counts as none`
}

/** As vitest, jest and playwright print what differs, if it fits on a line. */
export function expectedIn(message: string): { expected: string | null; actual: string | null } {
  const expected = /^\s*Expected: +(.+)$/m.exec(message)?.[1] ?? null
  const actual = /^\s*Received: +(.+)$/m.exec(message)?.[1] ?? null
  return { expected, actual }
}
