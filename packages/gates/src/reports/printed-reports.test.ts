// A test may print the report of another runner, and an output may end where a run looks better than it was.
import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const read = (text: string) => readReport(text, '/project')
const vitest = (passed: number): string =>
  ` RUN  v3.2.4 /project\n\n ✓ a.test.mjs (${passed} tests) 2ms\n\n Test Files  1 passed (1)\n      Tests  ${passed} passed (${passed})\n   Start at  10:00:00\n   Duration  200ms\n`
const mochaTree =
  '  ✔ prints\n  1) broken\n\n\n  1 passing (3ms)\n  1 failing\n\n  1) broken:\n     Error: no\n      at a.js:1:1\n\n'
const own = { passed: 1, failed: 1, skipped: 0 }

test('what the first test of mocha prints is no run; what stands before its empty lines is one', () => {
  expect(read(`\n\n${vitest(9)}\n${mochaTree}`)).toMatchObject(own)
  expect(read(`${vitest(9)}\n\n\n${mochaTree}`)).toMatchObject({ passed: 10, failed: 1 })
})

test('TAP that begins with its plan is the report, whatever is printed into it', () => {
  const tap = `1..2\n${vitest(9)}ok 1 prints\nnot ok 2 broken\n  no\n# tests 2\n# pass 1\n# fail 1\n`
  expect(read(tap)).toMatchObject({ format: 'tap', ...own })
})

test('a document at the end is the report of the run whose tests printed before it, unless they say worse', () => {
  const json = (failures: object[]): string =>
    JSON.stringify({
      stats: { passes: 1, pending: 0, failures: failures.length },
      tests: [],
      pending: [],
      passes: [{}],
      failures,
    })
  const failed = json([{ title: 'broken', fullTitle: 'broken', err: { message: 'no' } }])
  expect(read(`${vitest(9)}\n${failed}`)).toMatchObject(own)
  expect(read(`${vitest(9)}\n> b@1.0.0 test\n${failed}`)).toMatchObject({ passed: 10, failed: 1 })
  const red = vitest(9).replace('9 passed (9)', '1 failed | 8 passed (9)')
  expect(read(`${red}\n${json([])}`).failed).toBeGreaterThan(0)
  expect(read(`${vitest(9)}\n${failed.slice(0, -20)}`).format).toBe('none')
})

test('mocha that is cut off between its counts is red', () => {
  expect(read('\n\n  ✔ a\n  1) b\n\n\n  1 passing (3ms)\n').failed).toBe(1)
  expect(read('\n\n  ․․!․\n\n  3 passing (3ms)').failed).toBe(1)
  expect(read('\n\n  ✔ a\n  ✔ b\n\n\n  2 passing (3ms)\n')).toMatchObject({ passed: 2, failed: 0 })
})

test('what cargo and go enclose was printed by their tests', () => {
  const cargo = `running 2 tests\ntest a ... ${vitest(9)}ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n`
  expect(read(cargo)).toMatchObject({ format: 'cargo-text', passed: 2, failed: 0 })
  const go = `=== RUN   TestA\n${vitest(9)}--- PASS: TestA (0.00s)\n=== RUN   TestB\nhalf a line--- PASS: TestB (0.00s)\nPASS\nok  \tshop/a\t0.003s\n`
  expect(read(go)).toMatchObject({ format: 'go-text', passed: 2, failed: 0 })
})

test('a test of go that runs several times counts each time', () => {
  const events = ['pass', 'fail', 'pass'].flatMap((Action) => [
    { Action: 'run', Package: 'p', Test: 'TestA' },
    { Action, Package: 'p', Test: 'TestA' },
  ])
  const all = [...events, { Action: 'fail', Package: 'p' }].map((each) => JSON.stringify(each)).join('\n')
  expect(read(all)).toMatchObject({ format: 'go-json', passed: 2, failed: 1 })
})

test('an event of libtest may share its line with what its test printed', () => {
  const lines = [
    '{ "type": "suite", "event": "started", "test_count": 1 }',
    'half a line{ "type": "test", "name": "a", "event": "ok" }',
    '{ "type": "suite", "event": "ok", "passed": 1, "failed": 0, "ignored": 0 }',
  ]
  expect(read(lines.join('\n'))).toMatchObject({ format: 'libtest-json', passed: 1, failed: 0 })
})

test('the events of mocha are red if they end before the run', () => {
  const events = ['["start",{"total":2}]', '["pass",{"title":"a","fullTitle":"a"}]']
  expect(read(events.join('\n'))).toMatchObject({ format: 'mocha-json', passed: 1, failed: 1 })
  const end = '["end",{"suites":1,"tests":2,"passes":1,"pending":1,"failures":0}]'
  expect(read([...events, end].join('\n'))).toMatchObject({ passed: 1, failed: 0, skipped: 1 })
})

test('a line that any program prints announces no run of jasmine', () => {
  expect(read(`Started\n\n\n${mochaTree}`)).toMatchObject({ format: 'mocha-text', ...own })
  expect(
    read(
      'Started\n..F\n\nFailures:\n1) a\n  Message:\n    no\n\n3 specs, 1 failure\nFinished in 0.1 seconds\n',
    ),
  ).toMatchObject({
    format: 'jasmine-text',
    passed: 2,
    failed: 1,
  })
})

test('jest that names a file that failed, and never counts, is red', () => {
  const printed = 'ok 1 - all\n1..1\n'
  expect(read(`FAIL ./a.test.js\n  ✕ two (13 ms)\n\n${printed}`)).toMatchObject({ format: 'none' })
})

test('the tests of a process of vitest that died have not passed', () => {
  const results = [
    { name: '/project/a.test.mjs', status: 'passed', assertionResults: [{ title: 'a', status: 'pending' }] },
    { name: '/project/b.test.mjs', status: 'passed', assertionResults: [{ title: 'b', status: 'passed' }] },
  ]
  const counts = {
    numTotalTests: 2,
    numPassedTests: 1,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
  }
  expect(read(JSON.stringify({ ...counts, success: true, testResults: results })).failed).toBe(1)
  const suite = (name: string, time: string): string =>
    `<testsuite name="${name}" tests="1" failures="0" errors="0" skipped="0" time="${time}"><testcase classname="${name}" name="x" time="${time}"></testcase></testsuite>`
  const xml = `<testsuites name="vitest tests">${suite('a.test.mjs', '0')}${suite('b.test.mjs', '0.0016')}</testsuites>`
  expect(read(xml).failed).toBe(1)
})
