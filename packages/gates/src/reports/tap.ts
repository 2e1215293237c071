// TAP 13 and 14, with the nested tests and diagnostics of node:test, and the habits of tape, ava and mocha.
// Leaf tests are counted.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { fileName, frameOf } from './frames.ts'
import type { Layer } from './layers.ts'
import {
  addPassed,
  fileInMessage,
  isTestFile,
  lateError,
  makeFailure,
  noOutcomes,
  noTestsIn,
  type Outcomes,
  toReport,
} from './report.ts'
import { tapDocuments } from './tap-documents.ts'

interface Reading {
  readonly cwd: string
  readonly outcomes: Outcomes
  /** Comment lines since the last test: there node prints what a file that cannot be loaded said. */
  comments: string[]
  /** Lines since the last test that are no TAP: mocha's diagnostics, or what a crashed process left. */
  extras: string[]
  /** Tape names a test in a comment before its assertions. */
  title: string | null
  /** The last test, if it failed and said nothing yet. */
  silent: { readonly at: number; readonly point: Result; readonly names: readonly string[] } | null
}

const commentsMax = 200

/** All documents of an output, one after another. */
export const tap: Layer = ({ raw }, cwd) => {
  const found = tapDocuments(raw).flatMap(({ text, isSure, isFailed, from, to }) => {
    const report = readTap(text, cwd)
    const told = report !== null && isFailed && report.failed === 0 ? failedAfter(report) : report
    return told === null ? [] : [{ report: told, isSure, from, to }]
  })
  if (found.length === 0) return null
  const weak = new Set(found.flatMap(({ report, isSure }) => (isSure ? [] : [report])))
  return { reports: found.map(({ report }) => report), ranges: found, weak }
}

/** With the failure of a program that passed each of its tests. */
function failedAfter(report: TestReport): TestReport {
  const message = 'prove counts the program as failed, though none of its tests is'
  const failures = [makeFailure({ names: ['test run'], idFile: '', message })]
  return { ...report, total: report.total + 1, failed: 1, failures }
}

/** Null if the text holds neither a plan nor a test. */
function readTap(text: string, cwd: string): TestReport | null {
  const reading: Reading = {
    cwd,
    outcomes: noOutcomes(),
    comments: [],
    extras: [],
    title: null,
    silent: null,
  }
  const parser = new Parser()
  let seen = false
  parser.on('plan', () => {
    seen = true
  })
  parser.on('assert', () => {
    seen = true
  })
  watch(parser, reading, [])
  let results: FinalResults | undefined
  parser.on('complete', (all: FinalResults) => {
    results = all
  })
  // The parser takes a lone carriage return for the end of the document.
  parser.end(text.replaceAll('\r', ''))
  // Not before: what is cut off in a group tells of its last test only now.
  explainSilent(reading)
  if (results !== undefined) checkComplete(reading, results)
  const tooLate = reading.outcomes.failures.length === 0 ? lateError(text.split('\n')) : null
  if (tooLate !== null) reading.outcomes.failures.push(tooLate)
  if (!/^ *(?:1\.\.\d|(?:not )?ok\b)/m.test(text)) {
    const message = 'the report ends before its first test'
    reading.outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message, stack: text }))
    return toReport('tap', reading.outcomes)
  }
  return seen ? toReport('tap', reading.outcomes) : null
}

function watch(parser: Parser, reading: Reading, names: readonly string[]): void {
  // A group's own point comes after its tests; it is told by whether one of them has failed already.
  let failedInside = false
  parser.on('child', (child: Parser) => {
    const before = reading.outcomes.failures.length
    failedInside = false
    watch(child, reading, [...names, child.name])
    child.on('complete', () => {
      failedInside = reading.outcomes.failures.length > before
    })
  })
  parser.on('comment', (line: string) => {
    if (line.startsWith('# Subtest')) return
    const said = line
      .replace(/^\s*# ?/, '')
      .replaceAll('\\#', '#')
      .trimEnd()
    if (names.length === 0) reading.title = said
    if (reading.comments.length < commentsMax) reading.comments.push(said)
  })
  parser.on('extra', (line: string) => {
    if (reading.extras.length < commentsMax && line.trim() !== '') reading.extras.push(line.trimEnd())
  })
  parser.on('assert', (result: Result) => {
    explainSilent(reading)
    addPoint(reading, result, { names, failedInside })
    reading.comments = []
    reading.extras = []
  })
}

/** A failure without diagnostics is explained by the lines after it that are no TAP. */
function explainSilent(reading: Reading): void {
  const { silent, extras, outcomes, cwd } = reading
  reading.silent = null
  if (silent === null || extras.length === 0) return
  const stack = extras.map((line) => line.replace(/^ {2}/, '')).join('\n')
  const message = stack.split(/\n *at /)[0] ?? stack
  // Mocha gives the message, and then the error with its class and the same message again.
  const again = message.search(/^\w*(?:Error|Exception)\b.*: /m)
  outcomes.failures[silent.at] = makeFailure({
    names: [...silent.names, silent.point.name],
    file: fileInMessage(message, cwd),
    message: again > 0 ? message.slice(again) : message,
    stack,
    cwd,
  })
}

function addPoint(
  reading: Reading,
  point: Result,
  at: { names: readonly string[]; failedInside: boolean },
): void {
  const { outcomes } = reading
  const isGroup = point.closingTestPoint
  // Ava does not mark a name that has such a sign in it; what was skipped has nothing to tell.
  if (point.skip && !point.ok && point.diag !== null) {
    addFailure(reading, { ...point, name: `${point.name} # SKIP ${point.skip}` }, at.names)
  } else if (point.skip || point.todo) {
    if (!isGroup) outcomes.skipped += 1
  } else if (!point.ok) {
    if (!isGroup || !at.failedInside) addFailure(reading, point, at.names)
  } else if (!isGroup) addGood(reading, point, at.names)
}

function addGood({ outcomes, cwd }: Reading, point: Result, names: readonly string[]): void {
  // A group without tests.
  if (asDiagnostics(point.diag)?.type === 'suite') return
  if (names.length === 0 && isTestFile(point.name, cwd)) outcomes.warnings.push(noTestsIn(point.name, cwd))
  else addPassed(outcomes, [...names, point.name])
}

function addFailure(reading: Reading, point: Result, names: readonly string[]): void {
  const { failures } = reading.outcomes
  const ended = /^(.+) exited with a non-zero exit code: \d+$/.exec(point.name)?.[1]
  const file = ended === undefined ? null : fileName(ended, reading.cwd)
  if (file !== null) {
    // Ava reports a file that cannot be loaded twice, at first without its name.
    const named = failures.findIndex((each) => each.file === null && each.message.includes(file))
    const last = failures.at(-1)
    const isCrash = last?.file === null && /^\w*(?:Error|Exception): /.test(last.id)
    const first = named < 0 && isCrash ? failures.length - 1 : named
    const known = failures[first]
    if (known) {
      failures[first] = { ...known, id: file, file }
      return
    }
  }
  if (point.diag === null && file === null) reading.silent = { at: failures.length, point, names }
  failures.push(
    file === null ? failureOf(reading, point, names) : makeFailure({ names, file, message: point.name }),
  )
}

type Diagnostics = Readonly<Record<string, unknown>>

function failureOf(reading: Reading, point: Result, names: readonly string[]): TestFailure {
  const { cwd } = reading
  const diag: Diagnostics = asDiagnostics(point.diag) ?? {}
  const said = reading.comments.join('\n')
  const stack = text(diag.stack) ?? (atOf(diag) || said || null)
  // Node says what kind of failure it is, tape does not.
  const title = 'operator' in diag && !('failureType' in diag) ? [reading.title ?? ''] : []
  return makeFailure({
    names: [...names, ...title, point.name],
    ...inGroup(names, placeOf(diag, stack, cwd)),
    // Ava tells only the innermost call, which may be anywhere.
    ...('details' in diag ? { idFile: '' } : {}),
    message: messageOf(diag, 'failureType' in diag || Object.keys(diag).length === 0 ? said : '', point.name),
    stack,
    expected: shown(diag, 'expected') ?? shown(diag, 'wanted'),
    actual: shown(diag, 'actual') ?? shown(diag, 'found'),
    durationMs: point.time ?? (typeof diag.duration_ms === 'number' ? diag.duration_ms : null),
    cwd,
  })
}

interface SourceLocation {
  readonly file: string | null
  readonly line: number | null
}

/** Vitest's outermost group is the file; then a place elsewhere is not the test's. */
function inGroup([outer]: readonly string[], place: SourceLocation): SourceLocation {
  if (outer === undefined || !/\.[cm]?[jt]sx?$/.test(outer)) return place
  return { file: outer, line: place.file === outer ? place.line : null }
}

/** Where it happened, in the form of a stack's line, if it says so. */
function atOf(diag: Diagnostics): string {
  const at = text(diag.at)?.replace(/\s+/g, ' ')
  return at && /[( ]/.test(at) ? `    at ${at}` : ''
}

function asDiagnostics(value: unknown): Diagnostics | null {
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/** The line that threw is worth more than the line where the test begins. */
function placeOf(diag: Diagnostics, stack: string | null, cwd: string): SourceLocation {
  // Tape puts the function before it, in the way of a stack.
  const at = (text(diag.location) ?? text(diag.at) ?? '').replace(/^.* \((.*)\)$/s, '$1')
  const [, path, begin] = /^(.+?):(\d+)(?::\d+)?$/.exec(at) ?? []
  const given = path === undefined ? null : fileName(path, cwd)
  const file = given !== null && /^(node:|.*node_modules\/)/.test(given) ? null : given
  const frame = stack ? frameOf(stack, cwd, file) : null
  const own = frame && !/node_modules|^node:/.test(frame.file) ? frame : null
  if (file === null) return { file: own?.file ?? null, line: own?.line ?? null }
  return { file, line: frame?.file === file ? frame.line : Number(begin) }
}

function messageOf(diag: Diagnostics, said: string, name: string): string {
  // Vitest nests name and message under error.
  const inner = asDiagnostics(diag.error) ?? diag
  const error = text(diag.error) ?? text(inner.message) ?? ''
  // For a file that could not be loaded node's own error is only "test failed".
  const saidError = error === '' || error === 'test failed' ? /^.*Error\b.*$/m.exec(said)?.[0] : undefined
  const message = saidError ?? (detailsOf(diag) || error || name || 'not ok')
  const type = text(inner.name)
  return type && !message.startsWith(type) ? `${type}: ${message}` : message
}

/** Ava's differences, under headings of their own. */
function detailsOf(diag: Diagnostics): string {
  const details = asDiagnostics(diag.details) ?? {}
  return Object.entries(details)
    .map(([heading, said]) => `${heading}\n${text(said) ?? ''}`)
    .join('\n')
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function shown(diag: Diagnostics, name: string): string | null {
  if (!(name in diag)) return null
  const value = diag[name]
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null)
}

/** A stream that stops early says nothing about the tests that did not come. */
function checkComplete(reading: Reading, results: FinalResults): void {
  const { outcomes, extras, cwd } = reading
  const problem = problemOf(reading, results)
  if (problem === null) return
  const said = extras.join('\n')
  const error = /^\w*(?:Error|Exception)\b.*$/m.exec(said)?.[0]
  const message = error === undefined ? problem : `${problem}: ${error}`
  outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message, stack: said, cwd }))
}

function problemOf({ outcomes, comments }: Reading, { plan, count, bailout }: FinalResults): string | null {
  if (bailout) return `the run was given up: ${bailout === true ? 'no reason' : bailout}`
  const { start, end } = plan
  const told = outcomes.passed + outcomes.skipped + outcomes.failures.length
  // Tests without a point of their own are those of a group that does not end.
  if (count === 0 && told > 0) return 'the report ends in the middle of a group'
  if (start === null || end === null)
    return count > 0 ? 'the report has no plan, so it may have been cut off' : null
  const failed = failedBy(comments)
  const isRed = outcomes.failures.length > 0
  if (failed > 0 && !isRed) return `the report counts ${failed} failures and describes none`
  return planProblem(Math.max(0, end - start + 1), count, { failed, told: outcomes.failures.length })
}

function planProblem(
  planned: number,
  count: number,
  { failed, told }: { failed: number; told: number },
): string | null {
  // Ava does not plan what it reports of crashed files; those are failures already.
  if (planned === count || (planned < count && told > 0)) return null
  // Mocha plans what a failing hook, or the first failure, then keeps from running; it counts to the end all the same.
  const isCounted = failed > 0 && failed === told
  return isCounted ? null : `${planned} tests were planned but ${count} reported`
}

/** How many failures the comments at the end count; what stands before the first of the counts is a test's own. */
function failedBy(comments: readonly string[]): number {
  const counts = comments.slice(
    Math.max(
      0,
      comments.findIndex((line) => /^tests +\d+$/.test(line)),
    ),
  )
  return Number(counts.flatMap((line) => /^fail +(\d{1,9})$/.exec(line)?.[1] ?? []).at(0) ?? 0)
}
