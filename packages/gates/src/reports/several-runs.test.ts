// One command may print several runs: every one of them counts, whichever comes last.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestReport } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { truths } from '../../fixtures/truth.ts'
import { readReport } from './read-report.ts'

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
const runners = Object.keys(truths)
const capture = (runner: string, name: string): string =>
  readFileSync(join(fixtures, runner, 'captures', name), 'utf8')
const read = (text: string): TestReport => readReport(text, '/project')
const countsOf = ({ total, passed, failed, skipped }: TestReport) => ({ total, passed, failed, skipped })

function sumOf(...texts: readonly string[]): ReturnType<typeof countsOf> {
  const sum = { total: 0, passed: 0, failed: 0, skipped: 0 }
  for (const report of texts.map(read)) {
    sum.total += report.total
    sum.passed += report.passed
    sum.failed += report.failed
    sum.skipped += report.skipped
  }
  return sum
}

const endings = ['txt', 'json', 'tap', 'junit.xml', 'xunit.xml']
const pairs = runners.flatMap((runner) => {
  const names = readdirSync(join(fixtures, runner, 'captures'))
  return endings
    .filter((ending) => [`green.${ending}`, `mixed.${ending}`].every((name) => names.includes(name)))
    .map((ending): [string, string, string] => [
      `${runner}, ${ending}`,
      capture(runner, `mixed.${ending}`),
      capture(runner, `green.${ending}`),
    ])
})

test.each(pairs)('a red run and a green one add up, in either order: %s', (name, red, green) => {
  // A green task of Gradle says nothing of its tests.
  const both = name === 'gradle, txt' ? sumOf(red) : sumOf(red, green)
  expect(both.failed).toBeGreaterThan(0)
  expect(countsOf(read(`${red}\n${green}`))).toEqual(both)
  expect(countsOf(read(`${green}\n${red}`))).toEqual(both)
  expect(countsOf(read(`${red}\n${red}`))).toEqual(sumOf(red, red))
})

const texts = pairs.filter(([name]) => /txt|tap|xml/.test(name) && !/gradle/.test(name))
const greens = texts.filter(([name]) => /^(?:vitest|jest|mocha|pytest|go), txt|^tape|^phpunit/.test(name))

test.each(texts)('a red run of one runner is not hidden by a green one of another: %s', (name, red) => {
  for (const [other, , green] of greens.filter(([each]) => each.split(',')[0] !== name.split(',')[0])) {
    const both = sumOf(red, green)
    expect(countsOf(read(`> a@1.0.0 test\n${red}\n> b@1.0.0 test\n${green}`)), other).toEqual(both)
    expect(countsOf(read(`> a@1.0.0 test\n${green}\n> b@1.0.0 test\n${red}`)), other).toEqual(both)
  }
})

const counts = (pass: number, fail: number): string =>
  `ℹ tests ${pass + fail}\nℹ suites 0\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 9\n`

test('the workspaces of a package, with node:test in two of them', () => {
  const red = [
    '✔ one (1ms)',
    '✖ two (1ms)',
    '✖ three (1ms)',
    counts(1, 2),
    '✖ failing tests:\n',
    'test at a.test.mjs:3:1',
    '✖ two (1ms)',
    "  'no'\n",
    'test at a.test.mjs:4:1',
    '✖ three (1ms)',
    "  'neither'\n",
  ].join('\n')
  const output = `\n> a@1.0.0 test\n> node --test\n\n${red}\nnpm error Lifecycle script failed\n\n> b@1.0.0 test\n> node --test\n\n✔ two (1ms)\n${counts(1, 0)}`
  const report = read(output)
  expect(countsOf(report)).toEqual({ total: 4, passed: 2, failed: 2, skipped: 0 })
  expect(report.failures.map(({ id, message }) => [id, message])).toEqual([
    ['a.test.mjs > two', 'no'],
    ['a.test.mjs > three', 'neither'],
  ])
  expect(report.warnings).toEqual([])
})

test('one run that is told twice counts once', () => {
  const [vitest, jest, playwright] = ['vitest', 'jest', 'playwright'].map((name) =>
    capture(name, 'mixed.txt'),
  )
  const at = (text = '', mark: RegExp): number => text.search(mark)
  const again = (text = '', mark: RegExp): string => text + text.slice(at(text, mark))
  // Two reporters of vitest: the heading twice, then the failures and the counts twice.
  const told = again(vitest, /^⎯+ Failed/m)
  expect(countsOf(read(told))).toEqual(sumOf(vitest ?? ''))
  expect(countsOf(read(again(jest, /^Test Suites: /m)))).toEqual(sumOf(jest ?? ''))
  expect(countsOf(read(again(playwright, /^ {2}1\) /m)))).toEqual(sumOf(playwright ?? ''))
  // Text for people and a document for machines.
  for (const runner of ['vitest', 'jest', 'mocha', 'playwright'])
    for (const name of ['mixed', 'green']) {
      const [text, json] = [capture(runner, `${name}.txt`), capture(runner, `${name}.json`)]
      expect(countsOf(read(`${text}\n${json}`)), `${runner} ${name}`).toEqual(sumOf(text))
    }
})

test('what a test prints into its run is no run of its own', () => {
  const start = ' RUN  v5.1.0 /project\n\n'
  const green = ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n   Duration  9ms\n\n'
  const red = ' Test Files  1 failed (1)\n      Tests  3 failed (3)\n   Duration  9ms\n\n'
  expect(read(`${start}${red}${green}`)).toMatchObject({ total: 1, failed: 0 })
  expect(read(`${start}  7 passing (3ms)\n${green}`)).toMatchObject({ total: 1 })
  expect(read(`${start}${red}${start}${green}`)).toMatchObject({ total: 4, failed: 3 })
  // Without its heading each may be a run.
  expect(read(`${red}${green}`)).toMatchObject({ total: 4, failed: 3 })
})

test('TAP without versions begins again with its numbers or its plan', () => {
  const report = read('1..2\nok 1 - a\nok 2 - b\n1..1\nnot ok 1 - c\n')
  expect(countsOf(report)).toEqual({ total: 3, passed: 2, failed: 1, skipped: 0 })
  const after = read('not ok 1 - a\nok 2 - b\n1..2\nok 1 - c\n1..1\n')
  expect(countsOf(after)).toEqual({ total: 3, passed: 2, failed: 1, skipped: 0 })
})

test('a package of Go that runs twice counts twice', () => {
  const run = (end: string): string =>
    [
      { Action: 'start', Package: 'p' },
      { Action: 'run', Package: 'p', Test: 'TestA' },
      { Action: end, Package: 'p', Test: 'TestA' },
      { Action: end, Package: 'p' },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('')
  expect(countsOf(read(run('fail') + run('pass')))).toEqual({ total: 2, passed: 1, failed: 1, skipped: 0 })
})

test('a report that ends too early says so', () => {
  const junit = '<testsuite name="s" tests="10"><testcase name="a"/><testcase name="b"/></testsuite>'
  expect(read(junit).warnings).toEqual(['s counts 10 tests but describes 2: it may have been cut off'])
  const go = ['run', 'pass']
    .map((Action) => `${JSON.stringify({ Action, Package: 'p', Test: 'T' })}\n`)
    .join('')
  expect(read(go)).toMatchObject({
    failed: 1,
    warnings: [expect.stringContaining('the events end before p did')],
  })
  const cut = '<?xml version="1.0"?>\n<testsuites><testsuite name="s"><testcase name="a">'
  expect(read(cut)).toMatchObject({
    format: 'junit',
    total: 1,
    failed: 1,
    failures: [{ id: 'test run > a', message: expect.stringMatching(/^it is cut off/) }],
  })
  const half =
    '<?xml version="1.0"?>\n<testsuites><testsuite name="s"><testcase name="a"/><testcase name="b"></testcase>'
  expect(read(`${half}\n<testcase name="c">`)).toMatchObject({ format: 'junit', passed: 2, failed: 1 })
  expect(read('<testsuite><testcase name="a"></testsuite>')).toMatchObject({
    format: 'none',
    warnings: [expect.stringMatching(/in XML could not be read: .*testcase/)],
  })
})
