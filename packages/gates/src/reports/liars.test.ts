// Runners that contradict themselves, stop early or say nothing: the worse of two stories holds, none is made up.
import { expect, test } from 'vitest'
import { readEndOfOutput, readReport } from './read-report.ts'

const read = (text: string) => readReport(text, '/project')

test('a summary that counts more failures than are described is believed, and says so', () => {
  const vitest = ' Test Files  1 failed (1)\n      Tests  3 failed | 1 passed (4)\n'
  expect(read(vitest)).toMatchObject({
    format: 'vitest-text',
    total: 4,
    failed: 3,
    failures: [{ message: 'the summary counts 3 failed tests and describes none' }],
  })
  const one = ` FAIL  a.test.ts > x\nError: no\n${vitest}`
  expect(read(one)).toMatchObject({ failed: 3, warnings: ['3 tests failed; 1 of them are described'] })
})

test('a failure that the summary does not count still fails', () => {
  const vitest = ' FAIL  a.test.ts > x\nError: no\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n'
  expect(read(vitest)).toMatchObject({ failed: 1, passed: 2, failures: [{ id: 'a.test.ts > x' }] })
  const mocha = { stats: { passes: 1, failures: 2 }, tests: [], passes: [{}], failures: [] }
  expect(read(JSON.stringify(mocha))).toMatchObject({ format: 'mocha-json', failed: 1, passed: 1 })
  const ctrf = { results: { tool: { name: 'x' }, summary: { tests: 3, failed: 2 }, tests: [] } }
  expect(read(JSON.stringify(ctrf))).toMatchObject({ format: 'ctrf', failed: 1, passed: 0 })
})

test('unhandled errors of vitest fail the run although every test passed', () => {
  const text = [
    '⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯',
    '',
    '⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯',
    'Error: late',
    ' ❯ a.test.ts:3:1',
    '',
    '⎯⎯⎯⎯⎯⎯⎯⎯',
    ' Test Files  1 passed (1)',
    '      Tests  1 passed (1)',
    '     Errors  1 error',
  ].join('\n')
  expect(read(text)).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ message: '1 errors outside of the tests: Error: late', file: 'a.test.ts', line: 3 }],
  })
})

test('a process that died in the middle is a failure', () => {
  const go = '{"Action":"run","Package":"p","Test":"TestA"}\n'
  expect(read(go)).toMatchObject({ format: 'go-json', failed: 1, passed: 0, failures: [{ id: 'p > TestA' }] })
  const libtest = '{ "type": "suite", "event": "started", "test_count": 2 }\n'
  const ok = '{ "type": "test", "name": "a", "event": "ok" }\n'
  expect(read(libtest + ok)).toMatchObject({ format: 'libtest-json', passed: 1, failed: 1 })
  const cargo =
    "running 2 tests\ntest a ... ok\nerror: test failed\n\nCaused by:\n  process didn't exit successfully: `x` (signal: 6, SIGABRT)\n"
  expect(read(cargo)).toMatchObject({
    format: 'cargo-text',
    failed: 1,
    failures: [{ message: expect.stringContaining('signal: 6') }],
  })
})

test('a run that announces itself and never counts is red, whatever its tests print', () => {
  const printed = '\n  9 passing (1ms)\n\n9 tests passed\n'
  expect(read(` RUN  v3.2.7 /project\n${printed}`)).toMatchObject({
    format: 'vitest-text',
    passed: 0,
    failed: 1,
  })
  const session = '============ test session starts ============\ncollected 2 items\n\ntest_a.py .'
  expect(read(`${session}${printed}`)).toMatchObject({ format: 'pytest-text', passed: 0, failed: 1 })
})

test('the failures of vitest are read where the standard error follows the standard output', () => {
  const out = ' RUN  v3.2.7 /project\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n'
  const line = '⎯'.repeat(8)
  const err = `\n${line} Failed Tests 1 ${line}\n\n FAIL  a.test.mjs > sums > adds\nError: no\n ❯ a.test.mjs:3:1\n\n${line}[1/1]⎯\n`
  expect(read(out + err)).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ id: 'a.test.mjs > sums > adds', line: 3 }],
  })
})

test('what is no part of a test fails a run of playwright', () => {
  const start = 'Running 1 test using 1 worker\n\n  ✓  1 a.spec.js:2:1 › a (5ms)\n\n'
  const counts = '  1 error was not a part of any test, see above for details\n  1 passed (500ms)\n'
  expect(read(`${start}Error: teardown\n\n${counts}`)).toMatchObject({ passed: 1, failed: 1 })
  expect(read(start)).toMatchObject({ format: 'playwright-text', passed: 0, failed: 1 })
})

test('a name of several lines does not hide the failures that playwright counts', () => {
  const start = 'Running 2 tests using 1 worker\n\n  1) a.spec.js:2:1 › new\nline ────\n\n    Error: no\n\n'
  const counts = '  1 failed\n    a.spec.js:2:1 › new\nline ────\n  1 passed (500ms)\n'
  expect(read(start + counts)).toMatchObject({ passed: 1, failed: 1, failures: [{ file: 'a.spec.js' }] })
  const step = start.replace('new\nline', 'one › a step')
  const stopped = 'Testing stopped early after 1 maximum allowed failures.\n\n'
  const early = `  1 error was not a part of any test, see above for details\n${counts.replace('new\nline', 'one')}`
  expect(read(step + stopped + early)).toMatchObject({ failed: 1, failures: [{ id: 'a.spec.js > one' }] })
})

test('a result of cargo is of as many tests as the program said, and its list has the names', () => {
  const said =
    '---- tests::b stdout ----\ntest result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n'
  const list = '\nfailures:\n    tests::b\n\n'
  const end =
    'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.17s\n'
  const quiet = `\nrunning 2 tests\n. 1/2\ntests::b --- FAILED\n\nfailures:\n\n${said}${list}${end}`
  expect(read(quiet)).toMatchObject({ format: 'cargo-text', passed: 1, failed: 1 })
  expect(read(quiet).failures[0]?.id).toMatch(/tests::b$/)
})

test('a test that CTRF has no word for is a failure if it was broken off', () => {
  const tests = [
    { name: 'a', status: 'other', rawStatus: 'interrupted' },
    { name: 'b', status: 'other' },
  ]
  const ctrf = { results: { tool: { name: 'x' }, summary: { tests: 2, failed: 0 }, tests } }
  expect(read(JSON.stringify(ctrf))).toMatchObject({ passed: 0, failed: 1, skipped: 1 })
})

test('a stream of TAP that ends in a group is cut off', () => {
  const tap = 'TAP version 13\n# Subtest: g\n    # Subtest: x\n    ok 1 - x\n'
  expect(read(tap)).toMatchObject({ format: 'tap', passed: 1, failed: 1 })
})

test('what a test prints is not taken for the report of its runner', () => {
  const printed = 'TAP version 13\n1..1\nnot ok 1 - printed\n'
  const [start, end] = [
    ' RUN  v5.1.0 /project\n\n',
    ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n   Duration  9ms\n',
  ]
  expect(read(`> project@1.0.0 test\n${start}${printed}${end}`)).toMatchObject({
    format: 'vitest-text',
    failed: 0,
  })
  // Before the runner has begun, it is the report of another.
  expect(read(printed + start + end)).toMatchObject({ format: 'tap', passed: 1, failed: 1 })
})

test('words that only sound like a summary are none', () => {
  for (const text of [
    'Tests  5 passed (5)',
    'Tests:       5 passed, 5 total',
    '5 passing',
    '  5 passing and some',
    'ℹ tests 5\nℹ pass 5',
    '5 tests passed',
    '  5 tests passed',
    '5 passed in time',
    'Ran 5 tests in 0.1s\n\nOK',
    'ok  example.com/x 0.1s',
    'test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured',
    '  5 passed (1.0s)',
    '{"Action":"output","Package":"p","Output":"x"}',
  ]) {
    expect(read(text), text).toMatchObject({ format: 'none', total: 0 })
  }
})

test('the end of a long output is enough for a summary, and says that it is the end', () => {
  const end = 'noise\n============================== 2 passed in 0.01s ===============================\n'
  expect(readEndOfOutput(end, '/project')).toMatchObject({
    format: 'pytest-text',
    passed: 2,
    warnings: [expect.stringContaining('too long')],
  })
  expect(readEndOfOutput('TAP version 13\n1..1\nok 1\n', '/project')).toBeNull()
})

const surefire = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.example.AppTest" time="0.05" tests="3" errors="1" skipped="0" failures="1">
  <properties><property name="java.version" value="21"/></properties>
  <testcase name="adds" classname="com.example.AppTest" time="0.01"/>
  <testcase name="subtracts" classname="com.example.AppTest" time="0.01">
    <failure message="expected: &lt;1&gt; but was: &lt;-1&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <1> but was: <-1>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at com.example.AppTest.subtracts(AppTest.java:14)
]]></failure>
    <system-out><![CDATA[about to subtract]]></system-out>
  </testcase>
  <testcase name="throws" classname="com.example.AppTest" time="0.01">
    <error message="cannot divide" type="java.lang.ArithmeticException"><![CDATA[java.lang.ArithmeticException: cannot divide
	at com.example.App.divide(App.java:7)
	at com.example.AppTest.throwsIt(AppTest.java:19)
	at java.base/java.lang.reflect.Method.invoke(Method.java:580)
]]></error>
  </testcase>
</testsuite>`

test('JUnit of Maven and Gradle: Java names no folders, and its own classes are not the project', () => {
  const report = read(surefire)
  expect(report).toMatchObject({ format: 'junit', total: 3, passed: 1, failed: 2 })
  const [subtracts, throws] = report.failures
  expect(subtracts).toMatchObject({
    id: 'com.example.AppTest > subtracts',
    file: 'AppTest.java',
    line: 14,
    message: 'org.opentest4j.AssertionFailedError: expected: <1> but was: <-1>',
    output: 'about to subtract',
  })
  expect(throws?.frames?.map(({ file, line, own }) => [file, line, own])).toEqual([
    ['App.java', 7, true],
    ['AppTest.java', 19, true],
    ['Method.java', 580, false],
  ])
})

test('counts without the times of vitest, or what minitest says before them, are no end of an announced run', () => {
  const vitest =
    ' RUN  v3.2.7 /project\n\nstdout | a.test.mjs > prints\n Test Files  2 passed (2)\n      Tests  6 passed (6)\n\n'
  expect(read(vitest)).toMatchObject({ format: 'vitest-text', passed: 0, failed: 1 })
  const minitest =
    'Run options: --seed 1\n\n# Running:\n\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n.F'
  expect(read(minitest)).toMatchObject({ format: 'minitest-text', passed: 0, failed: 1 })
})

test('counts that nothing confirms are no report of a run that marks a test as failed and breaks off', () => {
  const printed = ' Test Files  2 passed (2)\n      Tests  6 passed (6)\n\n'
  expect(read(`\n${printed}  ✔ one\n  ✘ [fail]: two\n`)).toMatchObject({ format: 'none', passed: 0 })
  expect(read(`${printed}✖ bad (1ms)\n`)).toMatchObject({ format: 'none', passed: 0 })
  expect(read(printed)).toMatchObject({ format: 'vitest-text', passed: 6 })
})

test('a name that ends like something to do is none for node', () => {
  const counts = (pass: number, fail: number, todo: number): string =>
    `ℹ tests ${pass + fail + todo}\nℹ suites 0\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\nℹ skipped 0\nℹ todo ${todo}\nℹ duration_ms 9\n`
  expect(read(`✖ bad (1ms) # TODO (0.2ms)\n✔ good (0.1ms)\n${counts(1, 1, 0)}`)).toMatchObject({
    passed: 1,
    failed: 1,
  })
  const later = read(`✖ bad (0.2ms) # later\n✔ good (0.1ms)\n${counts(1, 0, 1)}`)
  expect(later).toMatchObject({ passed: 1, failed: 0, skipped: 1 })
})

const uvuSums = '\n  Total:     1\n  Passed:    1\n  Skipped:   0\n  Duration:  0.1ms\n\n'
const timeFor = (text: string): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const start = performance.now()
      read(text)
      return performance.now() - start
    }),
  )

test.each([
  ['spaces', (width: number) => ' '.repeat(width)],
  ['spaces before a bracket', (width: number) => `${' '.repeat(width - 1)}(`],
  ['a failure and spaces', (width: number) => `   FAIL ${' '.repeat(width - 9)}"`],
  ['a failure and quotation marks', (width: number) => `   FAIL a${' "'.repeat((width - 9) / 2)}x`],
])('long lines for uvu take no more time than as many characters on short ones: %s', (_, line) => {
  const text = (count: number, width: number): string =>
    `${Array.from({ length: count }, () => line(width)).join('\n')}\n(1 / 1)\n${uvuSums}`
  expect(read(text(1, 101))).toMatchObject({ format: 'uvu-text' })
  expect(timeFor(text(100, 1_981)) / timeFor(text(2_000, 99))).toBeLessThan(4)
})

test('the name of a failure of uvu ends with the line, whatever quotation marks are in it', () => {
  const failed = (name: string): string =>
    `a  ✘   (0 / 1)\n\n   FAIL  ${name}\n    no\n\n  Total:     1\n  Passed:    0\n  Skipped:   0\n`
  const idOf = (name: string): string | undefined => read(failed(name)).failures[0]?.id
  expect(idOf('math  "adds"')).toMatch(/math > adds$/)
  expect(idOf('math  "says "no""')).toMatch(/math > says "no"$/)
  expect(idOf('"says "no""')).toMatch(/says "no"$/)
  expect(idOf('"adds"')).toMatch(/adds$/)
})
