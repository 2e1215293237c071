// What bun prints: each file's tests, what a failed one said before its mark, and counts, each on a line of its own.
import type { TestFailure } from '@treadle/contracts/gate'
import { makeFailure, splitError, summarised } from '../report.ts'
import { countsIn, sum, until } from './lines.ts'
import type { TextRunner } from './text-runner.ts'

const ran = /^Ran (\d+) tests? across \d+ files?\./
const countLine = /^ ?\d+ (?:pass|fail|skip|todo|errors?|filtered out|expect\(\) calls|snapshots?\b.*)$/
const countLinesMax = 10
const mark = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.+)$/
const fileLine = /^(\S.*\.[cm]?[jt]sx?):$/

const read: TextRunner['read'] = (lines, cwd, at) => {
  const counts = countsOf(lines, at)
  const failures = failuresOf(lines.slice(0, at), cwd)
  const told = sum(counts, 'pass', 'fail', 'skip', 'todo')
  // Given up at the first failure, it counts nothing but how many ran.
  const ended = Number(ran.exec(lines[at] ?? '')?.[1])
  const isGivenUp = told === 0 && ended > 0
  return summarised(
    'bun-text',
    {
      passed: isGivenUp ? Math.max(0, ended - failures.length) : sum(counts, 'pass'),
      failed: Math.max(sum(counts, 'fail'), sum(counts, 'error', 'errors') > 0 ? 1 : 0),
      skipped: sum(counts, 'skip', 'todo'),
    },
    failures,
  )
}

function countsOf(lines: readonly string[], at: number): Map<string, number> {
  const before = lines.slice(Math.max(0, at - countLinesMax), at)
  const from = before.findLastIndex((line) => !countLine.test(line)) + 1
  return countsIn(before.slice(from).join('\n'))
}

export const bunText: TextRunner = {
  ends: (lines, at) => ran.test(lines[at] ?? ''),
  closes: (_, at) => at + 1,
  begins: /^bun test v\d/,
  announced: true,
  format: 'bun-text',
  marks: [
    {
      on: (line) => {
        const word = wordOf(mark.exec(line))
        return word === null ? null : ['pass', 'fail'].map((each) => (each === word ? 1 : 0))
      },
      claimed: (lines, at) => {
        const counts = countsOf(lines, at)
        return ['pass', 'fail'].map((word) => sum(counts, word))
      },
    },
  ],
  read,
}

const signs: Readonly<Record<string, string>> = { '✓': 'pass', '✗': 'fail', '»': 'skip', '✎': 'todo' }

/** Older versions have signs, newer ones words. */
function wordOf(found: RegExpExecArray | null): string | null {
  const [, word, sign] = found ?? []
  return word ?? (sign === undefined ? null : (signs[sign] ?? null))
}

const lineCharsMax = 2_000
const saidMax = 500

const unloaded = '# Unhandled error between tests'

interface Reading {
  readonly cwd: string
  readonly failures: TestFailure[]
  file: string | null
  /** Since the last mark: what a failed test says comes before its own. */
  said: string[]
}

function failuresOf(lines: readonly string[], cwd: string): TestFailure[] {
  const reading: Reading = { cwd, failures: [], file: null, said: [] }
  // Of many failures the list stands at the end once more.
  for (const line of until(lines, /^\d+ tests? failed:$/)) addLine(reading, line)
  return reading.failures
}

function addLine(reading: Reading, line: string): void {
  const { said, failures } = reading
  const short = line.slice(0, lineCharsMax)
  const found = mark.exec(short)
  const file = fileLine.exec(short)?.[1]
  // Where a file cannot be loaded there is no mark, but a rule before and after what it said.
  const isUnloaded = /^-{20,}$/.test(short) && said.includes(unloaded) && said.at(-1) !== unloaded
  if (found === null && file === undefined && !isUnloaded) {
    if (said.length < saidMax && !/^-{20,}$/.test(short)) said.push(line)
    return
  }
  if (file !== undefined) reading.file = file
  if (isUnloaded || wordOf(found) === 'fail') failures.push(failureOf(found?.[3] ?? '', reading))
  reading.said = []
}

function failureOf(title: string, { said, file, cwd }: Reading): TestFailure {
  const names = title.replace(/ \[[\d.]+m?s\]$/, '').replace(/ \(attempt \d+\)$/, '')
  const body = said.filter((line) => !/^ *\d+ \| |^\s*\^$|^# Unhandled/.test(line)).join('\n')
  const { message, stack } = splitError(body.trim())
  return makeFailure({
    names: title === '' ? [] : names.split(' > '),
    file,
    message: message || `${names} failed`,
    stack,
    cwd,
  })
}
