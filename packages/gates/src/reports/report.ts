// What the readers of the formats share: bounded, printable failures and counts that add up.
import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { plainText } from '../evidence.ts'

export interface Outcomes {
  passed: number
  skipped: number
  readonly failures: TestFailure[]
  readonly warnings: string[]
}

export function noOutcomes(): Outcomes {
  return { passed: 0, skipped: 0, failures: [], warnings: [] }
}

const failuresMax = 200
const messageCharsMax = 8_000
const stackCharsMax = 16_000

export function toReport(format: TestReport['format'], outcomes: Outcomes): TestReport {
  const { passed, skipped, failures } = outcomes
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
}

export function makeFailure(parts: FailureParts): TestFailure {
  const file = parts.file ? plainText(parts.file) : null
  // A file that failed as a whole is named after itself.
  const names = [file, ...parts.names.filter((name) => name !== file)].filter((name) => name)
  const message = cut(parts.message.trim(), messageCharsMax) || 'no message'
  const stack = parts.stack ? cut(parts.stack, stackCharsMax) : null
  return {
    id: cut(names.join(' > '), 1_000) || 'unnamed test',
    file,
    line: parts.line ?? null,
    message,
    stack,
    expected:
      parts.expected === null || parts.expected === undefined ? null : cut(parts.expected, messageCharsMax),
    actual: parts.actual === null || parts.actual === undefined ? null : cut(parts.actual, messageCharsMax),
    durationMs: parts.durationMs ?? null,
  }
}

function cut(text: string, charsMax: number): string {
  const plain = plainText(text)
  return plain.length > charsMax ? `${plain.slice(0, charsMax).toWellFormed()}…` : plain
}

/** Relative to the project, so that the same test has the same name in every worktree. */
export function fileName(file: string, cwd: string): string {
  let path = file
  if (file.startsWith('file://')) {
    try {
      path = fileURLToPath(file)
    } catch {
      return file
    }
  }
  if (!isAbsolute(path)) return path
  const inside = relative(cwd, path)
  return inside !== '' && !inside.startsWith('..') ? inside.split(sep).join('/') : path
}

// Bounded by line, since a message may be one huge word.
const frame =
  /((?:file:\/\/|(?<![\w.@/-]))\/[^\s():]{1,300}|[\w.@-][\w.@/-]{0,200}\.[a-z]{1,4}):(\d{1,7})(?::\d+)?/g
const frameCharsMax = 600
const framesMax = 200

/** Where an error was thrown: the first frame in the test's own file, else the first in the project. */
export function frameOf(
  stack: string,
  cwd: string,
  file: string | null,
): { file: string; line: number } | null {
  // Relative first: a project's own path may hold spaces, and then no frame in it could be told.
  const frames = stack
    .replaceAll(`${pathToFileURL(cwd).href}/`, '')
    .replaceAll(`${cwd}/`, '')
    .split('\n', framesMax)
    .filter((line) => line.length <= frameCharsMax)
    .flatMap((line) => [...line.matchAll(frame)])
    .map(([, path, line]) => ({ file: fileName(path ?? '', cwd), line: Number(line) }))
  const own = frames.find((each) => each.file === file)
  return own ?? frames.find((each) => !/node_modules|^node:/.test(each.file)) ?? null
}
