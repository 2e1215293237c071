// Which formats a text holds, with noise before, between and after. It never invents a result.
import type { ReportFormat, TestReport } from '@treadle/contracts/gate'
import { readCtrf } from './ctrf.ts'
import { jsonDocuments, opensDocument } from './documents.ts'
import { goJson } from './go-json.ts'
import { junit } from './junit.ts'
import { type Layer, readLayers } from './layers.ts'
import { libtestJson } from './libtest-json.ts'
import { readMochaJson } from './mocha-json.ts'
import { readMochawesome } from './mochawesome-json.ts'
import { readPlaywrightJson } from './playwright-json.ts'
import { emptyReport } from './report.ts'
import { tap } from './tap.ts'
import { avaText } from './text/ava-text.ts'
import { cargoText } from './text/cargo-text.ts'
import { goText } from './text/go-text.ts'
import { gradleText } from './text/gradle-text.ts'
import { jestText } from './text/jest-text.ts'
import { mavenText } from './text/maven-text.ts'
import { mochaText } from './text/mocha-text.ts'
import { nodeText } from './text/node-text.ts'
import { playwrightText } from './text/playwright-text.ts'
import { pytestText } from './text/pytest-text.ts'
import { confirmedRunsOf, runsOf } from './text/runs.ts'
import { unittestText } from './text/unittest-text.ts'
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
]

// What a machine wrote for machines.
const machine: readonly Layer[] = [documents, goJson, libtestJson, junit, tap]
// What runners print for people.
const printed = [vitestText, jestText, playwrightText, nodeText, unittestText, pytestText, mochaText, avaText]
// Their counts agree with what they printed of each test, or they can be mistaken for nothing else.
const telling: readonly Layer[] = [confirmedRunsOf(printed), mavenText, gradleText, cargoText]
const others: readonly Layer[] = [
  runsOf([vitestText, jestText, playwrightText, nodeText]),
  runsOf([unittestText, pytestText, mochaText, avaText]),
  goText,
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
])

/** The formats that can be asked for by name. */
export const formats: readonly ReportFormat[] = [...byFormat.keys()]

/** All runs that the output tells of, added up. */
export function readReport(output: string, cwd: string, format?: ReportFormat): TestReport {
  if (format !== undefined) return readAs(format, output, cwd)
  // A test may print what looks like a report; a runner's own summary then tells that it is none.
  const whole = wholeOf(output)
  const first = whole === undefined ? [...telling, ...machine] : [whole, ...machine, ...telling]
  return readLayers([...first, ...others], output, cwd) ?? emptyReport('no test report could be read')
}

/** What the output is all of, by how it begins. */
function wholeOf(output: string): Layer | undefined {
  const at = Math.max(0, output.slice(0, 1_000).search(/\S/))
  // Mocha begins with empty lines, and a test of its may go on.
  if (output.slice(0, at).split('\n').length > 2) return undefined
  if (output.startsWith('{', at)) return documents
  if (output.startsWith('TAP version', at)) return tap
  return output.startsWith('<?xml', at) || opensDocument(output, at) ? junit : undefined
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
  for (const read of [readVitestJson, readCtrf, readPlaywrightJson, readMochaJson, readMochawesome]) {
    const report = read(value, cwd)
    if (report) return report
  }
  return null
}
