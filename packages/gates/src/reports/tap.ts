// TAP 13 and 14, with the nested tests and diagnostics of node:test. Leaf tests are counted.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { fileName, frameOf, makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'

interface Reading {
  readonly cwd: string
  readonly outcomes: Outcomes
  /** Comment lines since the last test: there node prints what a file that cannot be loaded said. */
  comments: string[]
}

const commentsMax = 200

/** Null if the text holds neither a plan nor a test. */
export function readTap(text: string, cwd: string): TestReport | null {
  const reading: Reading = { cwd, outcomes: noOutcomes(), comments: [] }
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
    if (!line.startsWith('# Subtest') && reading.comments.length < commentsMax) {
      reading.comments.push(
        line
          .replace(/^\s*# ?/, '')
          .replaceAll('\\#', '#')
          .trimEnd(),
      )
    }
  })
  parser.on('assert', (point: Result) => {
    addPoint(reading, point, { names, failedInside })
    reading.comments = []
  })
  parser.on('complete', (results: FinalResults) => {
    if (names.length === 0) checkComplete(reading.outcomes, results)
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
    if (!isGroup || !at.failedInside) outcomes.failures.push(failureOf(reading, point, at.names))
  } else if (!isGroup) {
    outcomes.passed += 1
    const isFile = at.names.length === 0 && /\.[cm]?[jt]sx?$/.test(point.name)
    if (isFile && existsSync(resolve(cwd, point.name))) {
      outcomes.warnings.push(`${fileName(point.name, cwd)} reported no tests; its exit code counts as one`)
    }
  }
}

type Diagnostics = Readonly<Record<string, unknown>>

function failureOf(reading: Reading, point: Result, names: readonly string[]): TestFailure {
  const { cwd } = reading
  const diag: Diagnostics = asDiagnostics(point.diag) ?? {}
  const said = reading.comments.join('\n')
  const stack = text(diag.stack) ?? (said || null)
  return makeFailure({
    names: [...names, point.name],
    ...placeOf(diag, stack, cwd),
    message: messageOf(diag, said, point.name),
    stack,
    expected: shown(diag, 'expected') ?? shown(diag, 'wanted'),
    actual: shown(diag, 'actual') ?? shown(diag, 'found'),
    durationMs: point.time ?? (typeof diag.duration_ms === 'number' ? diag.duration_ms : null),
  })
}

function asDiagnostics(value: unknown): Diagnostics | null {
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/** The line that threw is worth more than the line where the test begins. */
function placeOf(
  diag: Diagnostics,
  stack: string | null,
  cwd: string,
): { file: string | null; line: number | null } {
  const [, path, begin] = /^(.+?):(\d+)(?::\d+)?$/.exec(text(diag.location) ?? text(diag.at) ?? '') ?? []
  const file = path === undefined ? null : fileName(path, cwd)
  const frame = stack ? frameOf(stack, cwd, file) : null
  if (file === null) return { file: frame?.file ?? null, line: frame?.line ?? null }
  return { file, line: frame?.file === file ? frame.line : Number(begin) }
}

function messageOf(diag: Diagnostics, said: string, name: string): string {
  // Vitest nests name and message under error.
  const inner = asDiagnostics(diag.error) ?? diag
  const error = text(diag.error) ?? text(inner.message) ?? ''
  // For a file that could not be loaded node's own error is only "test failed".
  const saidError = error === '' || error === 'test failed' ? /^.*Error\b.*$/m.exec(said)?.[0] : undefined
  const message = saidError ?? (error || name || 'not ok')
  const type = text(inner.name)
  return type && !message.startsWith(type) ? `${type}: ${message}` : message
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
function checkComplete(outcomes: Outcomes, results: FinalResults): void {
  const { start, end } = results.plan
  const problem = ((): string | null => {
    if (results.bailout)
      return `the run was given up: ${results.bailout === true ? 'no reason' : results.bailout}`
    if (start === null || end === null)
      return results.count > 0 ? 'the report has no plan, so it may have been cut off' : null
    const planned = Math.max(0, end - start + 1)
    return planned === results.count ? null : `${planned} tests were planned but ${results.count} reported`
  })()
  if (problem !== null) outcomes.failures.push(makeFailure({ names: ['test run'], message: problem }))
}
