// The events of `go test -json`. A test with subtests is counted by them.
import type { TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { countTests, goFailure, moduleOf, packageFailure } from './go.ts'
import { jsonLines, readLines } from './json-lines.ts'
import { noOutcomes, type Outcomes, toReport } from './report.ts'

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  Elapsed: z.number().optional(),
})
type Event = z.infer<typeof Event>

type Result = 'pass' | 'fail' | 'skip'
interface Test {
  readonly name: string
  result: Result | null
  elapsed: number | null
  readonly said: string[]
}
interface Package {
  result: Result | null
  readonly said: string[]
  /** By their names, as they run last. */
  readonly tests: Map<string, Test>
  /** The runs before, of tests that are run several times. */
  readonly before: Test[]
}
interface Reading {
  readonly packages: Map<string, Package>
  /** Runs of a package that was run again after them. */
  readonly ended: { readonly name: string; readonly each: Package }[]
  /** What the compiler said, by what it compiled; it is no JSON before go 1.24. */
  readonly build: Map<string, string[]>
  compiling: string | null
}

const saidMax = 500

export const goJson = jsonLines(/"Action":/, readGoJson)

/** Null if the text holds no such events. */
function readGoJson(text: string, cwd: string): TestReport | null {
  const reading: Reading = { packages: new Map(), ended: [], build: new Map(), compiling: null }
  for (const line of readLines(text)) {
    if ('said' in line) {
      addSaid(reading, line.said)
      continue
    }
    const event = Event.safeParse(line.value).data
    if (event) addEvent(reading, event)
  }
  const open = [...reading.packages].map(([name, each]) => ({ name, each }))
  const known = open.some(({ each: { result, tests } }) => result !== null || tests.size > 0)
  if (!known) return null
  const outcomes = noOutcomes()
  const module = moduleOf(cwd)
  for (const { name, each } of [...reading.ended, ...open]) {
    addPackage(outcomes, { name, each, reading, cwd, module })
  }
  endless(outcomes, reading.packages)
  return toReport('go-json', outcomes)
}

function addSaid(reading: Reading, said: string): void {
  reading.compiling = /^# (\S+)/.exec(said)?.[1] ?? reading.compiling
  const failed = /^FAIL\t(\S+) \[(?:build|setup) failed\]/.exec(said)?.[1]
  if (failed !== undefined) {
    beginAgain(reading, failed)
    packageOf(reading, failed).result = 'fail'
  } else if (reading.compiling !== null) add(reading.build, reading.compiling, said)
}

function add(lists: Map<string, string[]>, name: string, line: string): void {
  const list = lists.get(name) ?? []
  if (list.length < saidMax) list.push(line)
  lists.set(name, list)
}

function packageOf(reading: Reading, name: string): Package {
  const found = reading.packages.get(name) ?? { result: null, said: [], tests: new Map(), before: [] }
  reading.packages.set(name, found)
  return found
}

function addBuilt(reading: Reading, path: string, said: string): void {
  add(reading.build, path.split(' ')[0] ?? '', said)
}

function addEvent(reading: Reading, event: Event): void {
  const said = event.Output?.replace(/\n$/, '')
  if (event.Action === 'build-output') addBuilt(reading, event.ImportPath ?? '', said ?? '')
  if (event.Package === undefined) return
  if (event.Action === 'start' || event.Action === 'run') beginAgain(reading, event.Package)
  const where = packageOf(reading, event.Package)
  const test = event.Test === undefined ? null : testOf(where, event.Test, event.Action === 'run')
  const to = test ?? where
  if (said !== undefined && to.said.length < saidMax) to.said.push(said)
  const { Action: action } = event
  if (action !== 'pass' && action !== 'fail' && action !== 'skip') return
  to.result = action
  if (test) test.elapsed = event.Elapsed ?? null
}

/** A package that has ended and runs once more counts once more. */
function beginAgain(reading: Reading, name: string): void {
  const each = reading.packages.get(name)
  if (!each || each.result === null) return
  reading.ended.push({ name, each })
  reading.packages.delete(name)
}

/** With `-count` a test that has ended begins once more. */
function testOf(where: Package, name: string, begins: boolean): Test {
  const last = where.tests.get(name)
  const isAgain = begins && last !== undefined && last.result !== null
  if (isAgain) where.before.push(last)
  const test = (isAgain ? undefined : last) ?? { name, result: null, elapsed: null, said: [] }
  where.tests.set(name, test)
  return test
}

interface At {
  readonly name: string
  readonly each: Package
  readonly reading: Reading
  readonly cwd: string
  readonly module: string | null
}

const namedMax = 10

function endless(outcomes: Outcomes, packages: ReadonlyMap<string, Package>): void {
  const names = [...packages].filter(([, { result }]) => result === null).map(([name]) => name)
  if (names.length === 0) return
  const few = names.slice(0, namedMax).join(', ')
  outcomes.warnings.push(`the events end before ${few} did: the report may have been cut off`)
}

function addPackage(outcomes: Outcomes, { name: packageName, each, reading, cwd, module }: At): void {
  const tests = [...each.before, ...each.tests.values()]
  if (each.result !== null) for (const test of tests) test.result ??= gluedResult(test, each.said)
  const failed = countTests(outcomes, tests)
  for (const { name, result, elapsed, said } of failed) {
    const all = result === null ? [...said, 'the test did not end'] : said
    const durationMs = elapsed === null ? null : elapsed * 1_000
    outcomes.failures.push(goFailure({ name, packageName, said: all, durationMs, cwd, module }))
  }
  const isBad = each.result === 'fail' || each.result === null
  if (isBad && failed.length === 0) {
    const built = reading.build.get(packageName) ?? []
    outcomes.failures.push(packageFailure(packageName, [...built, ...each.said], cwd))
  }
}

/** Before go 1.20 the result of a test that ended its output within a line is a part of that output, or of the package's. */
function gluedResult({ name, said }: Test, after: readonly string[]): Result | null {
  for (const line of [...said, ...after]) {
    const [, word, of] = /--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/.exec(line.slice(-lineCharsMax)) ?? []
    if (of === name) return results[word ?? ''] ?? null
  }
  return null
}

const lineCharsMax = 2_000
const results: Readonly<Record<string, Result>> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' }
