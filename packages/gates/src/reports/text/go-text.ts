// What `go test` prints, with -v or without. Without it only failures and packages are named.
import type { TestReport } from '@treadle/contracts/gate'
import { countTests, goFailure, moduleOf, packageFailure } from '../go.ts'
import { noOutcomes, type Outcomes, toReport } from '../report.ts'
import { type TextReader, wholeText } from './lines.ts'

interface Test {
  readonly name: string
  readonly result: 'pass' | 'fail' | 'skip'
  readonly seconds: number
}
interface Reading {
  readonly cwd: string
  readonly module: string | null
  readonly outcomes: Outcomes
  tests: Test[]
  /** What each test said, and the package itself under no name. */
  said: Map<string, string[]>
  /** Of which test the lines are: the last that was named. */
  current: string
  /** What the compiler said, by package. */
  readonly build: Map<string, string[]>
  compiling: string | null
  packages: number
  uncounted: number
}

const saidMax = 500

const read: TextReader = (lines, cwd): TestReport | null => {
  const reading: Reading = {
    cwd,
    module: moduleOf(cwd),
    outcomes: noOutcomes(),
    tests: [],
    said: new Map(),
    current: '',
    build: new Map(),
    compiling: null,
    packages: 0,
    uncounted: 0,
  }
  for (const line of lines) addLine(reading, line)
  if (reading.packages === 0) return null
  const { outcomes, uncounted } = reading
  if (uncounted > 0) {
    outcomes.warnings.push(
      `go test names no passing tests without -v; each of ${uncounted} passing packages counts as one`,
    )
  }
  return toReport('go-text', outcomes)
}

const results: Readonly<Record<string, Test['result']>> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' }
const mark = /^\s*--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)$/
// A package's time has three digits.
const end = /^(ok|FAIL|---|\?) {0,2}\t(\S+)(?:\s+(\[.*|\(.*|no test files|\d+\.\d{2,3}s.*))?$/

const own = /^=== RUN +\S|^\s*--- (?:PASS|FAIL|SKIP): \S+ \([\d.]+s\)$/

export const goText = wholeText(read, own, end)

function addLine(reading: Reading, line: string): void {
  const [, result, name, seconds] = markIn(reading, line) ?? []
  const [, verdict, packageName, detail = ''] = end.exec(line) ?? []
  const named = /^=== (?:RUN|NAME|CONT|PAUSE) +(\S+)$/.exec(line)?.[1]
  if (named !== undefined) {
    reading.current = named
  } else if (result !== undefined && name !== undefined) {
    reading.tests.push({ name, result: results[result] ?? 'fail', seconds: Number(seconds) })
    reading.current = name
  } else if (verdict !== undefined && packageName !== undefined) {
    endPackage(reading, packageName, { verdict, detail })
  } else {
    addSaid(reading, line)
  }
}

/** A test that ends its output in the middle of a line shares it with its own mark. */
function markIn(reading: Reading, line: string): RegExpExecArray | null {
  const own = mark.exec(line)
  const at = own === null ? line.lastIndexOf('--- ') : -1
  if (at <= 0 || reading.current === '') return own
  const glued = mark.exec(line.slice(at))
  return glued?.[2] === reading.current ? glued : null
}

function addSaid(reading: Reading, line: string): void {
  const compiled = /^# (\S+)/.exec(line)?.[1]
  if (compiled !== undefined) reading.compiling = compiled
  else if (reading.compiling !== null && /^\S+\.go:\d+/.test(line)) {
    reading.build.set(
      reading.compiling,
      [...(reading.build.get(reading.compiling) ?? []), line].slice(0, saidMax),
    )
    return
  }
  const said = reading.said.get(reading.current) ?? []
  if (said.length < saidMax && line !== 'FAIL' && line !== 'PASS') said.push(line)
  reading.said.set(reading.current, said)
}

function endPackage(reading: Reading, packageName: string, at: { verdict: string; detail: string }): void {
  const { outcomes, tests, cwd, module } = reading
  const none = at.verdict === '?' || /\[no test(?:s to run| files)\]/.test(at.detail)
  const failed = countTests(outcomes, tests)
  for (const { name, seconds } of failed) {
    const said = reading.said.get(name) ?? []
    outcomes.failures.push(goFailure({ name, packageName, said, durationMs: seconds * 1_000, cwd, module }))
  }
  const open = tests.some(({ name }) => name === reading.current) ? '' : reading.current
  if (at.verdict === 'FAIL' && failed.length === 0 && open !== '') {
    const said = [...(reading.said.get(open) ?? []), 'the test did not end']
    outcomes.failures.push(goFailure({ name: open, packageName, said, cwd, module }))
  } else if (at.verdict === 'FAIL' && failed.length === 0) {
    const said = [...(reading.build.get(packageName) ?? []), ...[...reading.said.values()].flat(), at.detail]
    outcomes.failures.push(packageFailure(packageName, said, cwd))
  }
  if (at.verdict === 'ok' && tests.length === 0 && !none) {
    outcomes.passed += 1
    reading.uncounted += 1
  }
  if (at.verdict !== '?') reading.packages += 1
  reading.tests = []
  reading.said = new Map()
  reading.current = ''
  reading.compiling = null
}
