// Which format a text is, with noise before and after. It never invents a result.
import type { ReportFormat, TestReport } from '@treadle/contracts/gate'
import { plainText } from '../evidence.ts'
import { readCtrf } from './ctrf.ts'
import { readGoJson } from './go-json.ts'
import { readJunit } from './junit.ts'
import { readLibtestJson } from './libtest-json.ts'
import { readMochaJson } from './mocha-json.ts'
import { readPlaywrightJson } from './playwright-json.ts'
import { emptyReport } from './report.ts'
import { readTap } from './tap.ts'
import { readAvaText } from './text/ava-text.ts'
import { readCargoText } from './text/cargo-text.ts'
import { readGoText } from './text/go-text.ts'
import { readJestText } from './text/jest-text.ts'
import type { TextReader } from './text/lines.ts'
import { readMochaText } from './text/mocha-text.ts'
import { readNodeText } from './text/node-text.ts'
import { readPlaywrightText } from './text/playwright-text.ts'
import { readPytestText } from './text/pytest-text.ts'
import { readUnittestText } from './text/unittest-text.ts'
import { readVitestText } from './text/vitest-text.ts'
import { readVitestJson } from './vitest-json.ts'

type Reader = (text: string, cwd: string) => TestReport | null

// Documents by a name that each must have.
const documents = [readVitestJson, readCtrf, readPlaywrightJson, readMochaJson]
const documentMark = /"(?:numTotalTests|summary|rootDir|stats)"/

// What a machine wrote for machines, by the formats that each reader knows.
const machine: readonly [readonly ReportFormat[], Reader][] = [
  [['vitest-json', 'jest-json', 'ctrf', 'playwright-json', 'mocha-json'], readDocument],
  [['go-json'], (output, cwd) => (/"Action":/.test(output) ? readGoJson(output, cwd) : null)],
  [
    ['libtest-json'],
    (output, cwd) => (/"type": ?"suite"/.test(output) ? readLibtestJson(output, cwd) : null),
  ],
  [['junit'], readXml],
  [['tap'], readTapIn],
]

// Their summaries cannot be mistaken for anything else.
const telling: readonly [ReportFormat, TextReader][] = [
  ['vitest-text', readVitestText],
  ['jest-text', readJestText],
  ['playwright-text', readPlaywrightText],
  ['node-text', readNodeText],
]
const others: readonly [ReportFormat, TextReader][] = [
  ['cargo-text', readCargoText],
  ['unittest-text', readUnittestText],
  ['pytest-text', readPytestText],
  ['mocha-text', readMochaText],
  ['ava-text', readAvaText],
  ['go-text', readGoText],
]

/** The formats that can be asked for by name. */
export const formats: readonly ReportFormat[] = [
  ...machine.flatMap(([known]) => known),
  ...[...telling, ...others].map(([format]) => format),
]

export function readReport(output: string, cwd: string, format?: ReportFormat): TestReport {
  if (format !== undefined) {
    return readAs(format, output, cwd) ?? emptyReport(`no test report could be read as ${format}`)
  }
  // A test may print what looks like a report; a runner's own summary then tells that it is none.
  const isWhole = /^\s*(?:\{|<|TAP version)/.test(output.slice(0, 1_000))
  return (
    (isWhole ? null : readText(telling, output, cwd)) ??
    readMachine(output, cwd) ??
    readText([...telling, ...others], output, cwd) ??
    emptyReport('no test report could be read')
  )
}

/** The end of an output too long to be read whole: what people read stands there, a machine's report is cut. */
export function readEndOfOutput(end: string, cwd: string): TestReport | null {
  const report = readText([...telling, ...others], end, cwd)
  const warning = 'the output is too long to be read whole: the report is from the end of it'
  return report && { ...report, warnings: [...report.warnings, warning] }
}

function readAs(format: ReportFormat, output: string, cwd: string): TestReport | null {
  const [, read] = machine.find(([known]) => known.includes(format)) ?? []
  const readers = [...telling, ...others].filter(([name]) => name === format)
  const report = read?.(output, cwd) ?? readText(readers, output, cwd)
  return report?.format === format ? report : null
}

function readMachine(output: string, cwd: string): TestReport | null {
  for (const [, read] of machine) {
    const report = read(output, cwd)
    if (report) return report
  }
  return null
}

const textCharsMax = 8 * 1024 * 1024

/** Summaries stand at the end, so the end is enough. */
function readText(
  readers: readonly [ReportFormat, TextReader][],
  output: string,
  cwd: string,
): TestReport | null {
  if (readers.length === 0) return null
  const lines = plainText(output.slice(-textCharsMax)).split('\n')
  for (const [, read] of readers) {
    const report = read(lines, cwd)
    if (report) return report
  }
  return null
}

const candidatesMax = 50
// How often the output may be gone through, all in all, for objects that never end.
const passesMax = 4

function readDocument(output: string, cwd: string): TestReport | null {
  if (!documentMark.test(output)) return null
  let candidates = 0
  let seen = 0
  for (const { index } of output.matchAll(/^[ \t]*\{/gm)) {
    candidates += 1
    if (candidates > candidatesMax || seen > passesMax * output.length) return null
    const end = endOfObject(output, index)
    seen += (end ?? output.length) - index
    const report = end === null ? null : readObject(parseJson(output.slice(index, end)), cwd)
    if (report) return report
  }
  return null
}

function readObject(value: unknown, cwd: string): TestReport | null {
  for (const read of documents) {
    const report = read(value, cwd)
    if (report) return report
  }
  return null
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** The place after the brace that closes the object which begins at `start`. */
function endOfObject(output: string, start: number): number | null {
  let depth = 0
  const marks = /"(?:[^"\\]|\\.)*"|[{}]/gs
  marks.lastIndex = start
  for (let mark = marks.exec(output); mark; mark = marks.exec(output)) {
    if (mark[0] === '{') depth += 1
    if (mark[0] === '}') depth -= 1
    if (depth === 0) return marks.lastIndex
  }
  return null
}

function readXml(output: string, cwd: string): TestReport | null {
  const start = output.search(/<testsuites?[\s/>]/)
  if (start < 0) return null
  const end = Math.max(output.lastIndexOf('</testsuites>'), output.lastIndexOf('</testsuite>'))
  const close = end < 0 ? output.indexOf('/>', start) + 1 : output.indexOf('>', end)
  return close <= start ? null : readJunit(output.slice(start, close + 1), cwd)
}

function readTapIn(output: string, cwd: string): TestReport | null {
  const version = output.search(/^TAP version 1[34]\b/m)
  const hasPoints = /^(not )?ok\b/m.test(output) && /^1\.\.\d+/m.test(output)
  if (version < 0 && !hasPoints) return null
  return readTap(version < 0 ? output : output.slice(version), cwd)
}
