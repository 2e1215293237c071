// What jest prints: a heading for each file, a block for each failure, and a summary.
import type { TestFailure } from '@treadle/contracts/gate'
import { fileName, framesOf } from '../frames.ts'
import { expectedIn, makeFailure, summarised } from '../report.ts'
import { blocksOf, countsIn, dedent, sum, until } from './lines.ts'
import { toEmptyLine } from './runs.ts'
import type { TextRunner } from './text-runner.ts'

/** A test that ends its output in the middle of a line shares it with the first of the counts. */
const suitesIn = (line = ''): string =>
  /Test Suites: (?:\d+ \w+, )*(?:\d+ of )?\d+ total$/.exec(line)?.[0] ?? ''

const isEnd = (lines: readonly string[], at: number): boolean =>
  /^Tests: +.*\d total$/.test(lines[at] ?? '') && suitesIn(lines[at - 1]) !== ''

const read: TextRunner['read'] = (lines, cwd, at) => {
  const counts = countsIn(lines[at] ?? '')
  const described = failuresOf(until(lines.slice(0, at - 1), /^Summary of all failing tests$/), cwd)
  const isFile = ({ id, file }: TestFailure): boolean => id === file
  // Two tests may have one name; more than are counted are told twice.
  const isAgain = described.length > sum(counts, 'failed') + described.filter(isFile).length
  const once = new Map(described.map((each, index) => [isAgain || isFile(each) ? each.id : index, each]))
  const failures = [...once.values()]
  const files = failures.filter(isFile).length
  return summarised(
    'jest-text',
    {
      passed: sum(counts, 'passed'),
      failed: sum(counts, 'failed') + files,
      skipped: sum(counts, 'skipped', 'todo'),
    },
    failures,
  )
}

const aheadMax = 2_000
// The time or the memory may come after the file.
const fileAtEnd = /\.\w{1,10}(?: \([^()]{1,60}\))*\s*$/
// Up to version 25 the place stands behind it.
const consoleLine = /^ {2}console\.\w+(?: \S+:\d+)?$/
const headingLine = /^ ?(PASS|FAIL) {1,2}\S/

export const jestText: TextRunner = {
  ends: isEnd,
  closes: toEmptyLine,
  // What the tests of its only file print comes before the file's heading, each time under one of its own.
  opens: (lines, begin) => {
    const from = Math.max(0, begin - aheadMax)
    const before = lines.slice(from, begin)
    const at = before.findIndex((line) => consoleLine.test(line))
    // What is all indented as jest does it is no run of another.
    const other = before.findLastIndex((line) => !/^(?: {4}.*|\s*)$/.test(line) && !consoleLine.test(line))
    const own = before.findIndex((line, here) => here > other && consoleLine.test(line))
    if (own >= 0) return { from: from + own, isSure: true }
    return { from: at < 0 ? begin : from + at, isSure: false }
  },
  begins: /^ ?(?:PASS|FAIL) {1,2}\S|^ {2}(?:● |console\.)/,
  marks: [
    {
      on: (line) => {
        const word = headingLine.exec(line)?.[1]
        return word === undefined || !fileAtEnd.test(line)
          ? null
          : [word === 'PASS' ? 1 : 0, word === 'FAIL' ? 1 : 0]
      },
      claimed: (lines, at) =>
        ['passed', 'failed'].map((word) => sum(countsIn(suitesIn(lines[at - 1])), word)),
    },
  ],
  read,
}

/** It names a file that failed, also where a test left the line open; the counts would come after. */
export function namesFailedFile(line: string): boolean {
  if (line.length > lineCharsMax || !/(?:^ ?|\S)FAIL {1,2}\S/.test(line)) return false
  return /\.[cm]?[jt]sx?(?: \([^()]{1,60}\))*\s*$/.test(line)
}

const lineCharsMax = 2_000

type Heading = { readonly file: string } | { readonly title: string }

function headingOf(line: string): Heading | null {
  // In colour the word has a space on each side.
  const file = /^ ?(?:FAIL|PASS) (?:.* )?(\S+\.\w+)(?: \([\d.]+ ?m?s\))?$/.exec(line)?.[1]
  if (file !== undefined) return { file: fileName(file, '/') }
  const title = /^ {2}● (.+)$/.exec(line)?.[1]
  return title === undefined ? null : { title }
}

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const failures: TestFailure[] = []
  let file: string | null = null
  for (const { heading, body } of blocksOf(lines, headingOf)) {
    if ('file' in heading) file = heading.file
    else if (heading.title !== 'Console') {
      // A name may have several lines; an empty one ends it.
      const more = until(body, /^\s*$/)
      const title = [heading.title, ...more].join('\n')
      failures.push(failureOf(title, { file, body: body.slice(more.length), cwd }))
    }
  }
  return failures
}

function failureOf(title: string, at: { file: string | null; body: string[]; cwd: string }): TestFailure {
  const body = dedent(at.body, 4)
  const said = until(body, /^\s*>? *\d+ \||^\s+at /)
  const stack = body.filter((line) => /^\s+at /.test(line)).join('\n')
  const frames = framesOf(stack, at.cwd)
  return makeFailure({
    names: title === 'Test suite failed to run' ? [] : title.split(' › '),
    file: at.file,
    line: frames.find((frame) => frame.file === at.file)?.line ?? null,
    message: said.join('\n'),
    stack: stack === '' ? null : `${said.join('\n').trim()}\n${stack}`,
    ...expectedIn(said.join('\n')),
    cwd: at.cwd,
  })
}
