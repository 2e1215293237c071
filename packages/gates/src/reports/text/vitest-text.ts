// What vitest prints: a tree, a block for each failure, and a summary of two lines.
import type { TestFailure } from '@treadle/contracts/gate'
import { framesOf } from '../frames.ts'
import { expectedIn, makeFailure, summarised } from '../report.ts'
import { blocksOf, countsIn, lastLine, sum, until } from './lines.ts'
import { nextLine, toEmptyLine } from './runs.ts'
import type { TextRunner } from './text-runner.ts'

/** The times come last; without them the counts may be what a test printed. */
const isTimed = (lines: readonly string[], at: number): boolean =>
  lines.slice(at + 1, at + 5).some((line) => /^ +(?:Start at|Duration|Time) {2}/.test(line))

const isEnd = (lines: readonly string[], at: number): boolean =>
  /^ +Tests {2}(?:no tests|\d| \(\d)/.test(lines[at] ?? '') && /^ +Test Files {2}/.test(lines[at - 1] ?? '')

const read: TextRunner['read'] = (lines, cwd, at) => {
  const counts = countsIn(lines[at] ?? '')
  const start = lastLine(lines.slice(0, at), /^ RUN {2}v\d/)
  const said = [...lines.slice(Math.max(0, start), at), ...lines.slice(toEmptyLine(lines, at))]
  const described = failuresOf(said, cwd)
  // A test that is tried again is described for each try.
  const isAgain =
    described.length > sum(counts, 'failed') + described.filter(({ id, file }) => id === file).length
  const failures = isAgain ? [...new Map(described.map((each) => [each.id, each])).values()] : described
  const errors = sum(
    countsIn(lines.slice(at, at + 3).find((line) => /^ +Errors {2}\d/.test(line)) ?? ''),
    'error',
    'errors',
  )
  if (errors > 0) failures.push(unhandled(said, errors, cwd))
  // Files that cannot be loaded are not among the tests.
  const files = failures.filter(({ id, file }) => id === file).length
  return summarised(
    'vitest-text',
    {
      passed: sum(counts, 'passed'),
      failed: sum(counts, 'failed') + files + (errors > 0 ? 1 : 0),
      // Tests of a group whose hook failed are among all, and nowhere else.
      skipped: Math.max(
        sum(counts, 'skipped', 'todo'),
        Number(/\((\d{1,9})\)\s*$/.exec(lines[at] ?? '')?.[1] ?? 0) - sum(counts, 'passed', 'failed'),
      ),
    },
    failures,
  )
}

export const vitestText: TextRunner = {
  ends: isEnd,
  closes: (lines, at) => endOfErrors(lines, toEmptyLine(lines, at)),
  begins: /^ RUN {2}v\d/,
  announced: true,
  format: 'vitest-text',
  genuine: isTimed,
  isAlwaysGenuine: true,
  failedIn: (counts) => sum(countsIn(counts), 'failed'),
  read,
}

const errorsHeading = /^⎯{3,} (?:Failed (?:Suites|Tests) \d+|Unhandled Errors?) ⎯{3,}$/

/** Failures are written to the standard error: kept apart from the rest, they come after the counts. */
function endOfErrors(lines: readonly string[], from: number): number {
  const heading = nextLine(lines, from, (line, here) => here > from + aheadMax || line.trim() !== '')
  if (!errorsHeading.test(lines[heading] ?? '')) return from
  const end = nextLine(lines, heading, (line) => /^ RUN {2}v\d/.test(line))
  return lines.slice(0, end).findLastIndex((line) => /^⎯{4,}(?:\[\d+\/\d+\]⎯)?$/.test(line)) + 1
}

const aheadMax = 10

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const failures: TestFailure[] = []
  const rest: string[] = []
  const blocks = blocksOf(lines, (line) => /^ FAIL {2}(?:\|[^|]+\| )?(.+)$/.exec(line)?.[1] ?? null)
  for (const { heading, body } of blocks) {
    rest.push(heading)
    // Tests that fail in the same way stand together over one error.
    if (body.every((line) => line.trim() === '')) continue
    const more = moreOfName(body)
    const text = until(body.slice(more.length), /^⎯{4,}/)
    for (const title of rest.splice(0)) failures.push(failureOf([title, ...more].join('\n'), text, cwd))
  }
  return failures
}

const nameLinesMax = 5

/** A name may have several lines; what was thrown comes after them. */
function moreOfName(body: readonly string[]): readonly string[] {
  const first = body.slice(0, nameLinesMax)
  const error = first.findIndex((line) =>
    /^(?:[A-Z]\w*(?:Error|Exception)\w*|Error|Unknown Error)\b/.test(line),
  )
  const lines = first.slice(0, Math.max(0, error))
  return lines.some((line) => line.trim() === '' || line.startsWith(' ')) ? [] : lines
}

function failureOf(title: string, body: readonly string[], cwd: string): TestFailure {
  const [file = '', ...names] = title.replace(/ \[ .* \]$/, '').split(' > ')
  const stack = body.filter((line) => /^ ❯ /.test(line)).join('\n')
  const frames = framesOf(stack, cwd)
  const said = until(body, /^ ❯ |^\s+\d+\|/)
  return makeFailure({
    names,
    file,
    line: frames.find((frame) => frame.file === file)?.line ?? null,
    message: until(said, /^(?:- Expected|Expected:|Serialized Error:)/).join('\n'),
    stack: stack === '' ? null : `${said[0] ?? ''}\n${stack}`,
    ...expectedIn(said.join('\n')),
    cwd,
  })
}

function unhandled(lines: readonly string[], errors: number, cwd: string): TestFailure {
  const at = lines.findIndex((line) =>
    /^⎯+ (?:Unhandled|Uncaught) (?:Rejection|Exception|Error) ⎯+$/.test(line),
  )
  const body = at < 0 ? [] : until(lines.slice(at + 1), /^⎯{4,}$/)
  const said = body.join('\n').trim()
  const message = `${errors} errors outside of the tests${said ? `: ${said.split('\n')[0]}` : ''}`
  return makeFailure({ names: ['test run'], idFile: '', message, stack: said || null, cwd })
}
