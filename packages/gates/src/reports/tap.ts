// TAP 13 and 14, with the nested tests and diagnostics of node:test, and the habits of tape, ava and mocha.
// Leaf tests are counted.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { fileName, frameOf } from './frames.ts'
import { type Layer, RUNS_MAX } from './layers.ts'
import {
  fileInMessage,
  isTestFile,
  makeFailure,
  noOutcomes,
  noTestsIn,
  type Outcomes,
  toReport,
} from './report.ts'

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

// Go says of a package that it is ok, with a tab.
const point = /^(?:not )?ok\b(?! {2}\t)(?: (\d+))?/
const plan = /^1\.\.(\d+)/
const version = /^TAP version 1[34]\b/

/** All documents of an output, one after another. */
export const tap: Layer = ({ raw }, cwd) => {
  const hasPoints = raw.some((line) => point.test(line)) && raw.some((line) => plan.test(line))
  const isEmpty = raw.some((line) => line === '# tests 0') && raw.some((line) => line === '1..0')
  if (!hasPoints && !isEmpty && !raw.some((line) => version.test(line))) return null
  const starts = startsOf(raw).slice(0, RUNS_MAX + 1)
  const found = starts.flatMap((from, index) => {
    const lines = raw.slice(from, starts[index + 1] ?? raw.length)
    const end = endOf(lines)
    // What a process said when it died comes after its last test.
    const report = readTap((isComplete(lines) ? lines.slice(0, end) : lines).join('\n'), cwd)
    return report === null ? [] : [{ report, from, to: from + end }]
  })
  if (found.length === 0) return null
  const weak = new Set(found.flatMap(({ report, from }) => (version.test(raw[from] ?? '') ? [] : [report])))
  return { reports: found.map(({ report }) => report), ranges: found, weak }
}

function isComplete(lines: readonly string[]): boolean {
  const planned = lines.map((line) => plan.exec(line)?.[1]).find((count) => count !== undefined)
  return Number(planned) === lines.filter((line) => point.test(line)).length
}

/** After the last test, its diagnostics, and comments. */
function endOf(lines: readonly string[]): number {
  let at = lines.findLastIndex((line) => point.test(line) || plan.test(line) || /^Bail out!/.test(line)) + 1
  if (/\{\s*$/.test(lines[at - 1] ?? '')) at = endOfBraces(lines, at)
  if (/^ +---\s*$/.test(lines[at] ?? '')) {
    const end = lines.findIndex((line, here) => here > at && /^ +\.\.\.\s*$/.test(line))
    at = end < 0 ? lines.length : end + 1
  }
  while (/^(?:#.*|TAP version.*|\s*)$/.test(lines[at] ?? '-')) at += 1
  return at
}

/** Vitest puts the tests of a file in braces behind its point; what differed may be full of braces, too. */
function endOfBraces(lines: readonly string[], from: number): number {
  let left = Number.POSITIVE_INFINITY
  for (const [index, line] of lines.slice(from).entries()) {
    const planned = /^ {4}1\.\.(\d+)/.exec(line)?.[1]
    if (planned !== undefined) left = Number(planned)
    if (/^ {4}(?:not )?ok\b/.test(line)) left -= 1
    if (left <= 0 && /^\}\s*$/.test(line)) return from + index + 1
  }
  return lines.length
}

// A hook that fails takes the number of the test that comes next, with mocha.
const failedHook = /^not ok 1 .* hook/

/** A document begins with its version; without one, where the numbers begin again or a second plan stands. */
function startsOf(lines: readonly string[]): number[] {
  const first = lines.findIndex((line) => version.test(line))
  const starts = [Math.max(0, first)]
  let so: DocumentSoFar = { points: 0, plans: 0, before: '' }
  for (const [at, line] of lines.entries()) {
    if (at <= (starts[0] ?? 0) && first >= 0) continue
    if (beginsDocument(line, so)) {
      starts.push(at)
      so = { points: 0, plans: 0, before: '' }
    }
    if (plan.test(line)) so.plans += 1
    else if (point.test(line)) {
      so.points += 1
      so.before = line
    }
  }
  return starts
}

interface DocumentSoFar {
  points: number
  plans: number
  /** The last point. */
  before: string
}

function beginsDocument(line: string, { points, plans, before }: DocumentSoFar): boolean {
  if (version.test(line)) return true
  if (plan.test(line)) return plans > 0
  const isFirst = point.exec(line)?.[1] === '1'
  return isFirst && points > 0 && !(points === 1 && failedHook.test(before))
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
  parser.end(text)
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
  parser.on('complete', (results: FinalResults) => {
    if (names.length > 0) return
    explainSilent(reading)
    checkComplete(reading, results)
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
  const { outcomes, cwd } = reading
  const isGroup = point.closingTestPoint
  if (point.skip || point.todo) {
    if (!isGroup) outcomes.skipped += 1
  } else if (!point.ok) {
    if (!isGroup || !at.failedInside) addFailure(reading, point, at.names)
  } else if (!isGroup) {
    // A group without tests.
    if (asDiagnostics(point.diag)?.type === 'suite') return
    if (at.names.length === 0 && isTestFile(point.name, cwd))
      outcomes.warnings.push(noTestsIn(point.name, cwd))
    else outcomes.passed += 1
  }
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
  if (start === null || end === null)
    return count > 0 ? 'the report has no plan, so it may have been cut off' : null
  const isRed = outcomes.failures.length > 0
  const failed = failedBy(comments)
  if (failed > 0 && !isRed) return `the report counts ${failed} failures and describes none`
  const planned = Math.max(0, end - start + 1)
  // Ava does not plan what it reports of crashed files; those are failures already.
  if (planned === count || (planned < count && isRed)) return null
  return `${planned} tests were planned but ${count} reported`
}

/** How many failures the comments at the end count. */
function failedBy(comments: readonly string[]): number {
  return Number(comments.flatMap((line) => /^fail +(\d{1,9})$/.exec(line)?.[1] ?? []).at(0) ?? 0)
}
