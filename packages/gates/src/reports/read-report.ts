// Which formats a text holds, with noise before, between and after. It never invents a result.
import type { ReportFormat, TestReport } from '@treadle/contracts/gate'
import { readCtrf } from './ctrf.ts'
import { endsInDocument, jsonDocuments, opensDocument } from './documents.ts'
import { goJson } from './go-json.ts'
import { junit } from './junit.ts'
import { type Layer, type Piece, pieceOf, readLayers } from './layers.ts'
import { libtestJson } from './libtest-json.ts'
import { withoutLabels, withoutTimes } from './line-labels.ts'
import { readMochaJson } from './mocha-json.ts'
import { mochaStream } from './mocha-stream.ts'
import { readMochawesome } from './mochawesome-json.ts'
import { readPlaywrightJson } from './playwright-json.ts'
import { emptyReport, type NamedReport } from './report.ts'
import { readRspecJson } from './rspec-json.ts'
import { tap } from './tap.ts'
import { avaText } from './text/ava-text.ts'
import { bunText } from './text/bun-text.ts'
import { cargoText } from './text/cargo-text.ts'
import {
  batsText,
  cucumberText,
  jasmineText,
  minitestText,
  phpunitText,
  proveText,
  rspecText,
} from './text/counted-text.ts'
import { goText } from './text/go-text.ts'
import { gradleText } from './text/gradle-text.ts'
import { jestText, namesFailedFile } from './text/jest-text.ts'
import { mavenText } from './text/maven-text.ts'
import { mochaText } from './text/mocha-text.ts'
import { nodeText } from './text/node-text.ts'
import { playwrightText } from './text/playwright-text.ts'
import { pytestText } from './text/pytest-text.ts'
import { confirmedRunsOf, runsOf } from './text/runs.ts'
import { unittestText } from './text/unittest-text.ts'
import { uvuText } from './text/uvu-text.ts'
import { vitestText } from './text/vitest-text.ts'
import { readVitestJson } from './vitest-json.ts'

// Documents by a name that each must have.
const documents = jsonDocuments(/"(?:numTotalTests|summary|rootDir|stats)"/, readObject)
const documentFormats: readonly ReportFormat[] = [
  'vitest-json',
  'jest-json',
  'ctrf',
  'playwright-json',
  'mocha-json',
  'rspec-json',
]

// What a machine wrote for machines.
const machine: readonly Layer[] = [documents, mochaStream, goJson, libtestJson, junit, tap]
// What runners print for people.
const printed = [
  vitestText,
  jestText,
  playwrightText,
  nodeText,
  bunText,
  phpunitText,
  minitestText,
  jasmineText,
  unittestText,
  pytestText,
  mochaText,
  avaText,
  uvuText,
]
// Their counts agree with what they printed of each test, or they can be mistaken for nothing else.
const confirmed = confirmedRunsOf(printed)
const telling: readonly Layer[] = [confirmed, mavenText, gradleText, cargoText]
const others: readonly Layer[] = [
  runsOf([vitestText, jestText, playwrightText, nodeText, bunText, phpunitText, minitestText, jasmineText]),
  runsOf([unittestText, pytestText, mochaText, avaText, uvuText]),
  goText,
  runsOf([rspecText, batsText, proveText, cucumberText]),
]

const byFormat: ReadonlyMap<ReportFormat, Layer> = new Map([
  ...documentFormats.map((format): [ReportFormat, Layer] => [format, documents]),
  ['go-json', goJson],
  ['libtest-json', libtestJson],
  ['junit', junit],
  ['tap', tap],
  ['vitest-text', runsOf([vitestText])],
  ['jest-text', runsOf([jestText])],
  ['playwright-text', runsOf([playwrightText])],
  ['node-text', runsOf([nodeText])],
  ['maven-text', mavenText],
  ['gradle-text', gradleText],
  ['cargo-text', cargoText],
  ['unittest-text', runsOf([unittestText])],
  ['pytest-text', runsOf([pytestText])],
  ['mocha-text', runsOf([mochaText])],
  ['ava-text', runsOf([avaText])],
  ['go-text', goText],
  ['bun-text', runsOf([bunText])],
  ['phpunit-text', runsOf([phpunitText])],
  ['minitest-text', runsOf([minitestText])],
  ['jasmine-text', runsOf([jasmineText])],
  ['rspec-text', runsOf([rspecText])],
  ['bats-text', runsOf([batsText])],
  ['cucumber-text', runsOf([cucumberText])],
  ['uvu-text', runsOf([uvuText])],
  ['prove-text', runsOf([proveText])],
])

/** The formats that can be asked for by name. */
export const formats: readonly ReportFormat[] = [...byFormat.keys()]

/** All runs that the output tells of, added up. */
export function readReport(written: string, cwd: string, format?: ReportFormat): TestReport {
  const { ran: _, ...report } = readNamedReport(written, cwd, format)
  return report
}

/** The same with the names of what passed, where they are told. */
export function readNamedReport(written: string, cwd: string, format?: ReportFormat): NamedReport {
  const output = withoutTimes(written.replace(/^\uFEFF/, ''))
  const read = (text: string): TestReport =>
    format === undefined ? readAny(text, cwd) : readAs(format, text, cwd)
  const report = read(output)
  if (report.failed > 0) return report
  const bare = withoutLabels(output)
  const found = bare === null ? report : read(bare)
  if (report.format === 'none') return found.format === 'none' ? report : found
  // One label may stand before a line that is a whole report, while what is red stands below another.
  return found.failed > 0 ? found : report
}

function readAny(output: string, cwd: string): TestReport {
  const own = ownAtEnd(output, cwd)
  if (own !== null) return own
  // A test may print what looks like a report; a runner's own summary then tells that it is none.
  const whole = wholeOf(output) ?? enclosing(output, cwd)
  const first = whole === undefined ? [...telling, ...machine] : [whole, ...machine, ...telling]
  const report = readLayers([...first, ...others], output, cwd) ?? emptyReport('no test report could be read')
  // Then what is green was printed before it, by its tests or by another run.
  if (report.failed === 0 && isCutOff(output, cwd)) return emptyReport('the report is cut off')
  if (report.failed === 0 && counted.has(report.format) && hasBadMark(output, report, cwd))
    return emptyReport('a test is marked as failed, and the counts tell of none: they are of something else')
  const isWeak = report.format === 'tap' && report.failed === 0 && !/^TAP version/m.test(output)
  if (isWeak && pieceOf(output).plain.some(namesFailedFile))
    return emptyReport('jest names a file that failed, and the output ends before its counts')
  return report
}

// Formats whose counts alone make a report, though any test could print them.
const counted: ReadonlySet<ReportFormat> = new Set([
  'vitest-text',
  'jest-text',
  'node-text',
  'mocha-text',
  'ava-text',
  'jasmine-text',
  'unittest-text',
  'pytest-text',
])

// Those of them that may be all that a run prints, beside whatever its tests print.
const bare: ReadonlySet<ReportFormat> = new Set([
  'jest-text',
  'mocha-text',
  'ava-text',
  'jasmine-text',
  'unittest-text',
  'pytest-text',
])
const badMark = /^ *(?:[✖✘✗×] \S|not ok \d)/
// As a runner that is known prints it: indented, with its time behind it, or by its number.
const ownBadMark = /^(?: +[✖✘✗×] \S| *not ok \d|[✖✘✗×] .*[([]\d[\d.]* ?m?s[)\]]|✖ failing tests:$)/
// The sum of ESLint is of no test.
const lintSum = /^✖ \d+ problems? \(\d+ errors?, \d+ warnings?\)$/

/** A line marks a test as failed, and there is no run whose counts agree with its marks. */
function hasBadMark(output: string, report: TestReport, cwd: string): boolean {
  const piece = pieceOf(output)
  const isBad = (line: string): boolean => badMark.test(line) && !lintSum.test(line)
  if (!piece.plain.some(isBad) || confirmed(piece, cwd) !== null) return false
  // What no runner prints is a test's own where counts come after it.
  const end = mayPrint(report, piece.plain) ? endOfRuns(piece, cwd) : 0
  return piece.plain.some((line, at) => isBad(line) && (at >= end || ownBadMark.test(line)))
}

/** Its counts may be a run's own: ava names what passed. */
function mayPrint({ format, passed }: TestReport, lines: readonly string[]): boolean {
  if (format === 'ava-text') return lines.filter((line) => line.startsWith('  ✔ ')).length >= passed
  return bare.has(format)
}

const endOfRuns = (piece: Piece, cwd: string): number => runsOf(printed)(piece, cwd)?.ranges.at(-1)?.to ?? 0

/** A document does not end, and it is not what a test printed into a run that has its counts. */
function isCutOff(output: string, cwd: string): boolean {
  if (!endsInDocument(output)) return false
  const piece = pieceOf(output)
  const isInRun = new Uint8Array(piece.raw.length)
  for (const { from, counts = from } of confirmed(piece, cwd)?.ranges ?? []) isInRun.fill(1, from, counts)
  return endsInDocument(output, (line) => isInRun[line] === 1)
}

/** What the output is all of, by how it begins. */
function wholeOf(output: string): Layer | undefined {
  const at = Math.max(0, output.slice(0, 1_000).search(/\S/))
  // Mocha begins with empty lines, and a test of its may go on.
  if (output.slice(0, at).split('\n').length > 2) return undefined
  if (output.startsWith('{', at)) return documents
  if (output.startsWith('["start",{', at)) return mochaStream
  if (/^(?:TAP version|1\.\.\d+$)/m.test(output.slice(at, at + 100).split('\n')[0] ?? '')) return tap
  return output.startsWith('<?xml', at) || opensDocument(output, at) ? junit : undefined
}

/**
 * The one document that an output ends with, if nothing before it is worse: its runner writes it when all is over, and
 * what stands before it was printed by the tests.
 */
function ownAtEnd(output: string, cwd: string): TestReport | null {
  if (!/(?:[}>]|^(?:1\.\.\d+|# .*|(?:not )?ok\b.*| +\.\.\.))\s*$/m.test(output.slice(-200))) return null
  const piece = pieceOf(output)
  const last = piece.plain.findLastIndex((line) => line.trim() !== '')
  for (const layer of [documents, junit, tap]) {
    const found = layer(piece, cwd)
    const [report, range] = [found?.reports[0], found?.ranges[0]]
    const isOne = found?.reports.length === 1 && found.weak?.size !== 1
    if (!isOne || report === undefined || range === undefined || range.to <= last) continue
    // The line of a command says that a run of its own begins; then one before it counts as well.
    const from = piece.plain.slice(0, range.from).findLastIndex((line) => command.test(line)) + 1
    const reportIn = (lines: readonly string[]): TestReport | null =>
      readLayers([...telling, ...machine, ...others], lines.join('\n'), cwd)
    if (reportIn(piece.raw.slice(0, from)) !== null) return null
    const before = reportIn(piece.raw.slice(from, range.from))
    if (before === null || (before.failed > 0 && report.failed === 0)) return null
    return { ...report, warnings: [...report.warnings, printedBefore] }
  }
  return null
}

const command = /^(?:> \S+@\S+ \S|\$ \S)/
const printedBefore = 'what stands before the report looks like another, and is not counted'

/** Cargo and go say where a program begins and ends; what its tests print is read after it, unless they print all of it. */
function enclosing(output: string, cwd: string): Layer | undefined {
  if (!/^(?:running \d+ tests?|=== RUN .*)\r?$/m.test(output)) return undefined
  const piece = pieceOf(output)
  const layer = [cargoText, goText].find((each) => {
    const ranges = each(piece, cwd)?.ranges ?? []
    const [first] = ranges
    const inside = confirmed(piece, cwd)?.ranges ?? []
    return first !== undefined && !inside.some(({ from, to }) => from <= first.from && first.to <= to)
  })
  return layer
}

/** The end of an output too long to be read whole: what people read stands there, a machine's report is cut. */
export function readEndOfOutput(end: string, cwd: string): TestReport | null {
  const report = readLayers([...telling, ...others], end, cwd)
  const warning = 'the output is too long to be read whole: the report is from the end of it'
  return report && { ...report, warnings: [...report.warnings, warning] }
}

function readAs(format: ReportFormat, output: string, cwd: string): TestReport {
  const layer = byFormat.get(format)
  const report = layer === undefined ? null : readLayers([ofFormat(layer, format)], output, cwd)
  return report ?? emptyReport(`no test report could be read as ${format}`)
}

/** Several formats are documents of one kind. */
function ofFormat(layer: Layer, format: ReportFormat): Layer {
  return (piece, cwd) => {
    const found = layer(piece, cwd)
    return found && { ...found, reports: found.reports.filter((report) => report.format === format) }
  }
}

function readObject(value: unknown, cwd: string): TestReport | null {
  const readers = [
    readVitestJson,
    readCtrf,
    readPlaywrightJson,
    readMochaJson,
    readMochawesome,
    readRspecJson,
  ]
  for (const read of readers) {
    const report = read(value, cwd)
    if (report) return report
  }
  return null
}
