// Runners that list what failed by number, and say in one line how many tests there were: RSpec, minitest, PHPUnit,
// jasmine, bats, prove and cucumber.
import type { ReportFormat, TestFailure } from '@treadle/contracts/gate'
import { makeFailure, splitError, summarised, type TestCounts } from '../report.ts'
import { blocksOf, until } from './lines.ts'
import type { TextRunner } from './text-runner.ts'

interface Counted {
  readonly format: ReportFormat
  /** The line of the counts. */
  readonly counts: RegExp
  /** What each run says somewhere before its counts, and after what its tests print. */
  readonly closing?: RegExp
  /** What must stand right before the counts. */
  readonly before?: RegExp
  /** What the counts say, by the line that the run began with and what it told before them. */
  readonly countsOf: (line: string, banner: string, told: readonly string[]) => TestCounts
  /** The line that each run begins with. */
  readonly begins?: RegExp
  /** Other programs print that line, too: without counts it says nothing. */
  readonly isCommon?: true
  /** The name of a test that failed. */
  readonly heading: (line: string, before: string) => string | null
  /** Nobody else lists like that: what is listed has failed, whatever the counts say. */
  readonly isOwnList?: true
  /** What ends the list, or a part of it that is none of failures. */
  readonly ends: RegExp
}

const numberIn = (line: string, pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0)

function textRunner(runner: Counted): TextRunner {
  const { format, counts, before, begins, closing } = runner
  const failedIn = (line: string, banner: string): number => runner.countsOf(line, banner, []).failed
  return {
    ends: (lines, at) =>
      counts.test(lines[at] ?? '') && (before === undefined || before.test(lines[at - 1] ?? '')),
    closes: (_, at) => at + 1,
    begins: begins ?? /(?!)/,
    ...(begins === undefined ? {} : { announced: true as const, failedIn }),
    ...(closing === undefined ? {} : { genuine: after(closing), isAlwaysGenuine: true as const }),
    ...(begins === undefined || runner.isCommon ? {} : { format }),
    read: (lines, cwd, at) => {
      const banner = lines.slice(0, at).findLast((line) => begins?.test(line)) ?? ''
      const found = runner.countsOf(lines[at] ?? '', banner, lines.slice(0, at))
      const listed = failuresOf(lines.slice(0, at), runner, cwd)
      // No more than are counted: a test may print a list of its own, which comes before.
      const isTold = found.failed > 0 || runner.isOwnList === true
      return summarised(format, found, isTold ? listed.slice(-Math.max(found.failed, 1)) : [])
    },
  }
}

/** Such a line stands above. It is asked for each counts of a text, which may be nothing but these. */
function after(closing: RegExp): NonNullable<TextRunner['genuine']> {
  const firsts = new WeakMap<readonly string[], number>()
  return (lines, at) => {
    const first = firsts.get(lines) ?? lines.findIndex((line) => closing.test(line))
    firsts.set(lines, first)
    return first >= 0 && first < at
  }
}

function failuresOf(lines: readonly string[], { heading, ends }: Counted, cwd: string): TestFailure[] {
  const own = withoutPending(lines)
  const blocks = blocksOf(own, (line, at) => heading(line, own[at - 1] ?? ''))
  return blocks.map(({ heading: name, body }) => {
    const said = until(body, ends).join('\n').trim()
    const { message, stack } = splitError(said)
    return makeFailure({ names: [name], idFile: '', message: message || name, stack: stack ?? said, cwd })
  })
}

/** What is pending, or risky, is numbered, too, under a heading of its own. */
function withoutPending(lines: readonly string[]): string[] {
  let isPending = false
  return lines.filter((line) => {
    const [, part, kind] = /^(?:(Failures|Pending):|There (?:was|were) \d+ (\w+).*:$)/.exec(line) ?? []
    if (part !== undefined) isPending = part === 'Pending'
    else if (kind !== undefined) isPending = !/^(?:error|failure|warning)s?$/.test(kind)
    return !isPending
  })
}

export const rspecText = textRunner({
  format: 'rspec-text',
  counts: /^\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?$/,
  before: /^Finished in /,
  countsOf: (line) => {
    const bad = numberIn(line, /(\d+) failure/)
    const pending = numberIn(line, /(\d+) pending/)
    return {
      passed: Math.max(0, numberIn(line, /^(\d+)/) - bad - pending),
      failed: bad + numberIn(line, /(\d+) errors? occurred/),
      skipped: pending,
    }
  },
  heading: (line) =>
    /^ {2}\d{1,6}\) (.+)$/.exec(line)?.[1] ?? /^(An error occurred (?:in|while) .+)$/.exec(line)?.[1] ?? null,
  ends: /^(?:Failures:|Finished in .*|Pending: .*)$/,
})

export const minitestText = textRunner({
  format: 'minitest-text',
  isOwnList: true,
  closing: /^Finished in /,
  counts:
    /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ (?:skips|pendings, \d+ omissions, \d+ notifications)$/,
  begins: /^(?:# Running(?: tests with run options .*)?:|Loaded suite .*)$/,
  countsOf: (line) => {
    const failed = numberIn(line, /(\d+) failures/) + numberIn(line, /(\d+) errors/)
    const skipped = numberIn(line, /(\d+) (?:skips|pendings)/) + numberIn(line, /(\d+) omissions/)
    return { passed: Math.max(0, numberIn(line, /^(\d+)/) - failed - skipped), failed, skipped }
  },
  heading: (line, before) => {
    const numbered = /^ {2}\d{1,6}\) (?:Failure|Error):$/.test(before)
      ? /^(\S+?)(?: \[.*)?:$/.exec(line)
      : null
    return numbered?.[1] ?? /^(?:Failure|Error): (test.+\))/.exec(line)?.[1] ?? null
  },
  ends: /^ {2}\d{1,6}\) (?:Failure|Error|Skipped):$|^={20,}$/,
})

export const phpunitText = textRunner({
  format: 'phpunit-text',
  counts: /^(?:OK \(\d+ tests?, .*\)|Tests: \d+, Assertions: \d+(?:, .*)?\.|No tests executed!)$/,
  begins: /^PHPUnit \d+\.\S* by Sebastian Bergmann/,
  countsOf: (line, banner) => {
    // Since version 10 a test may warn and pass.
    const warned = /^PHPUnit \d\./.test(banner) ? numberIn(line, /Warnings: (\d+)/) : 0
    const failed = numberIn(line, /Errors: (\d+)/) + numberIn(line, /Failures: (\d+)/) + warned
    const skipped = numberIn(line, /Skipped: (\d+)/) + numberIn(line, /Incomplete: (\d+)/)
    const all = numberIn(line, /Tests: (\d+)/) + numberIn(line, /^OK \((\d+)/)
    return { passed: Math.max(0, all - failed - skipped), failed, skipped }
  },
  heading: (line) =>
    /^\d{1,6}\) (\S+::.+)$/.exec(line)?.[1] ??
    // As documentation, and as a service on the way to an editor.
    /^ ✘ (.+?)(?: {2,}\[[\d.]+ ms\])?$/.exec(line)?.[1] ??
    /^##teamcity\[testFailed name='((?:[^'|]|\|.)+)'/.exec(line)?.[1] ??
    null,
  ends: /^(?:--|##teamcity.*| [✔↩∅☢⚠] .*|There (?:was|were) \d+ .*:|(?:ERRORS|FAILURES|WARNINGS)!)$/,
})

export const jasmineText = textRunner({
  format: 'jasmine-text',
  counts: /^\d+ specs?, \d+ failures?(?:, \d+ pending specs?)?$/,
  begins: /^Started$/,
  isCommon: true,
  countsOf: (line, _, told) => {
    const counted = numberIn(line, /(\d+) failure/)
    const skipped = numberIn(line, /(\d+) pending/)
    const list = withoutPending(told.slice(Math.max(0, told.lastIndexOf('Started'))))
    // A suite is no spec, and the outermost one is not even counted.
    const suites = list.filter((each) => each.startsWith('Suite error: ')).length
    const specs = suites === 0 ? counted : list.filter((each) => /^\d{1,6}\) \S/.test(each)).length
    const passed = Math.max(0, numberIn(line, /^(\d+)/) - specs - skipped)
    return { passed, failed: Math.max(counted, specs + suites), skipped }
  },
  heading: (line) => /^(?:\d{1,6}\)|Suite error:) (.+)$/.exec(line)?.[1] ?? null,
  ends: /^(?:Failures|Pending):$/,
})

export const batsText = textRunner({
  format: 'bats-text',
  counts: /^\d+ tests?, \d+ failures?(?:, \d+ skipped)?(?:, \d+ not run)?(?: in .*)?$/,
  countsOf: (line) => {
    const failed = numberIn(line, /(\d+) failure/) + numberIn(line, /(\d+) not run/)
    const skipped = numberIn(line, /(\d+) skipped/)
    return { passed: Math.max(0, numberIn(line, /^(\d+)/) - failed - skipped), failed, skipped }
  },
  heading: (line) => /^ ✗ (.+)$/.exec(line)?.[1] ?? null,
  ends: /^ [✓-] /,
})

export const cucumberText = textRunner({
  format: 'cucumber-text',
  counts: /^\d+ scenarios? \(\d+ [a-z]+(?:, \d+ [a-z]+)*\)$/,
  countsOf: (line) => {
    const [passed, skipped] = [numberIn(line, /(\d+) passed/), numberIn(line, /(\d+) skipped/)]
    // What is undefined, ambiguous or pending did not pass, and fails the run.
    return { passed, failed: Math.max(0, numberIn(line, /^(\d+)/) - passed - skipped), skipped }
  },
  heading: (line) =>
    /^\d{1,6}\) (?:Scenario(?: Outline)?|Example): (.+?)(?: # \S+)?$/.exec(line)?.[1] ?? null,
  ends: /^(?:Failures|Warnings):$/,
})

const program = /^\S+ \.{2,} (?:ok|skipped: .*|$)/
const proved = /^Files=\d+, Tests=(\d+), /

/** Prove says for each program how it ended, and not which of its tests were skipped. With `-v` it prints their TAP. */
export const proveText: TextRunner = {
  ends: (lines, at) => proved.test(lines[at] ?? '') && /^Result: /.test(lines[at + 1] ?? ''),
  closes: (_, at) => at + 2,
  begins: program,
  read: (lines, cwd, at) => {
    const told = lines.slice(0, at)
    // With `-v` there is TAP between the name of a program and how it ended.
    if (!told.some((line) => program.test(line)) || lines[at + 1] === 'Result: NOTESTS') return null
    const programs = told.flatMap((line) => /^(\S+) +\(Wstat: .* Failed: (\d+)\)$/.exec(line) ?? [])
    const failures = programs.flatMap((_, index): TestFailure[] => {
      if (index % 3 !== 0) return []
      const [name = '', failed] = programs.slice(index + 1, index + 3)
      const message = `${failed} of its tests failed`
      const each = makeFailure({ names: [], file: name, message, cwd })
      return new Array<TestFailure>(Math.min(failuresMax, Math.max(1, Number(failed)))).fill(each)
    })
    const isRed = lines[at + 1] === 'Result: FAIL'
    const failed = Math.max(isRed ? 1 : 0, failures.length)
    const all = Number(proved.exec(lines[at] ?? '')?.[1])
    return summarised('prove-text', { passed: Math.max(0, all - failed), failed, skipped: 0 }, failures)
  },
}

const failuresMax = 1_000
