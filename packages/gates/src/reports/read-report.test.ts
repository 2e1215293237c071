import { readFileSync } from 'node:fs'
import { TestReport } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
const read = (text: string) => TestReport.parse(readReport(text, '/project'))
const countsOf = ({ total, passed, failed, skipped }: TestReport) => ({ total, passed, failed, skipped })

const nodeFailures = [
  'a.test.mjs > top fails',
  'a.test.mjs > suite > inner bad # hash',
  'a.test.mjs > parent > kid bad',
  'a.test.mjs > parent itself',
  'broken.test.mjs',
]

verifies(
  ['META-TEST-3', 'META-TEST-4', 'META-TEST-5'],
  'TAP of node:test: leaf tests are counted, failures have message and stack',
  () => {
    const report = read(fixture('node-24.tap'))
    expect(report.format).toBe('tap')
    expect(countsOf(report)).toEqual({ total: 11, passed: 4, failed: 5, skipped: 2 })
    // A file without tests is reported as one that passed.
    expect(report.warnings).toEqual([expect.stringContaining('empty.test.mjs reported no tests')])
    expect(report.failures.map(({ id }) => id)).toEqual(nodeFailures)
    const [first, second, third, fourth, broken] = report.failures
    expect(first).toMatchObject({ file: 'a.test.mjs', line: 4, expected: '{"a":2}', actual: '{"a":1}' })
    expect(first?.message).toMatch(/^AssertionError: Expected values to be strictly deep-equal/)
    expect(first?.stack).toContain('a.test.mjs:4:34')
    expect(second?.message).toBe('TypeError: boom\nsecond line')
    expect(third).toMatchObject({ expected: '2', actual: '1', durationMs: expect.any(Number) })
    expect(fourth?.message).toBe('after kids')
    expect(broken).toMatchObject({
      file: 'broken.test.mjs',
      line: 1,
      message: "SyntaxError: Unexpected identifier 'error'",
    })
  },
)

test('TAP of an older node has the same failures', () => {
  const report = read(fixture('node-20.tap'))
  expect(report.failures.map(({ id }) => id)).toEqual(expect.arrayContaining(nodeFailures.slice(0, 4)))
  expect(report.failures.some(({ file }) => file === 'broken.test.mjs')).toBe(true)
})

const vitestFailures = [
  'broken.test.ts',
  'sum.test.ts > outer > inner > compares objects',
  'sum.test.ts > outer > throws',
]

for (const name of ['vitest-5.json', 'vitest-5.junit.xml']) {
  test(`${name}: one passed, three failed, two skipped`, () => {
    const report = read(fixture(name))
    expect(countsOf(report)).toEqual({ total: 6, passed: 1, failed: 3, skipped: 2 })
    expect(report.failures.map(({ id }) => id)).toEqual(vitestFailures)
    expect(report.failures[0]?.message).toContain("Cannot find module './no-such-file.ts'")
    expect(report.failures[1]?.message).toContain('to deeply equal { a: 1, list: [ 1, 3 ] }')
    expect(report.failures.map(({ file, line }) => [file, line]).slice(1)).toEqual([
      ['sum.test.ts', 6],
      ['sum.test.ts', 11],
    ])
  })
}

test('TAP of vitest, nested and flat: right counts, although its diagnostics are not always readable', () => {
  for (const name of ['vitest-5.tap', 'vitest-5-flat.tap']) {
    const report = read(fixture(name))
    expect(countsOf(report)).toEqual({ total: 6, passed: 1, failed: 3, skipped: 2 })
    expect(report.failures.map(({ id }) => id)).toEqual(vitestFailures)
    expect(report.failures[0]).toMatchObject({
      line: 2,
      message: expect.stringContaining('Cannot find module'),
    })
  }
})

test('JUnit of node:test: cases straight under the root and in suites', () => {
  const report = read(fixture('node-24.junit.xml'))
  expect(report.format).toBe('junit')
  expect(report.failures.map(({ id }) => id)).toEqual(expect.arrayContaining(nodeFailures.slice(0, 2)))
  expect(report.failures.find(({ id }) => id === nodeFailures[0])).toMatchObject({
    file: 'a.test.mjs',
    line: 4,
  })
})

const pytest = `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="0.1">
<testcase classname="tests.test_sum.TestSum" name="test_ok" time="0.001" />
<testcase classname="tests.test_sum.TestSum" name="test_bad[1-2]" time="0.002"><failure message="assert 1 == 2">def test_bad():
&gt;       assert 1 == 2
tests/test_sum.py:9: AssertionError</failure></testcase>
<testcase classname="" name="tests.test_broken" time="0.000"><error message="collection failure">ImportError: no module &lt;x&gt;</error></testcase>
<testcase classname="tests.test_sum" name="test_skip" time="0.0"><skipped type="pytest.skip" message="no">x</skipped></testcase>
</testsuite></testsuites>`

test('JUnit of pytest: failures and errors count as failed', () => {
  const report = read(pytest)
  expect(countsOf(report)).toEqual({ total: 4, passed: 1, failed: 2, skipped: 1 })
  expect(report.failures.map(({ id }) => id)).toEqual([
    'tests/test_sum.py > tests.test_sum.TestSum > test_bad[1-2]',
    'pytest > tests.test_broken',
  ])
  expect(report.failures[0]?.stack).toContain('> ')
})

const jest = {
  numTotalTests: 2,
  numFailedTests: 1,
  numPassedTests: 1,
  success: false,
  testResults: [
    {
      name: '/project/src/sum.test.js',
      status: 'failed',
      message: 'long text',
      assertionResults: [
        {
          ancestorTitles: ['sum'],
          title: 'adds',
          fullName: 'sum adds',
          status: 'passed',
          duration: 1,
          failureMessages: [],
        },
        {
          ancestorTitles: ['sum'],
          title: 'subtracts',
          fullName: 'sum subtracts',
          status: 'failed',
          duration: null,
          location: null,
          failureMessages: [
            'Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: 2\n    at Object.<anonymous> (/project/src/sum.test.js:7:15)',
          ],
        },
      ],
    },
  ],
}

test('JSON of jest, with lines of other programs around it', () => {
  const text = `> project@1.0.0 test\n{ not json\n{"also": "json"}\n${JSON.stringify(jest, null, 2)}\nDone in 1 s. {}\n`
  const report = read(text)
  expect(countsOf(report)).toEqual({ total: 2, passed: 1, failed: 1, skipped: 0 })
  expect(report.failures[0]).toMatchObject({ id: 'src/sum.test.js > sum > subtracts', line: 7 })
})

test('a report that counts failures which it does not describe has a failure', () => {
  expect(read(JSON.stringify({ ...jest, numFailedTests: 3 })).failed).toBe(2)
  expect(read(JSON.stringify({ numTotalTests: 0, success: false, testResults: [] })).failed).toBe(1)
  expect(read('<testsuite name="s" tests="1" failures="2"><testcase name="a"/></testsuite>').failed).toBe(1)
})

test('TAP with noise, TAP 14, skips and todos', () => {
  const text =
    'starting…\nTAP version 14\nok 1 - a\nprinted by the test\nok 2 - b # SKIP no network\nnot ok 3 - c # TODO\nok 4\n1..4\nbye\n'
  expect(countsOf(read(text))).toEqual({ total: 4, passed: 2, failed: 0, skipped: 2 })
})

test('TAP that stops early or gives up is not a success', () => {
  expect(read('TAP version 13\n1..3\nok 1 - a\nok 2 - b\n').failures[0]?.message).toBe(
    '3 tests were planned but 2 reported',
  )
  expect(read('TAP version 13\nok 1 - a\nok 2 - b\n').failures[0]?.message).toContain('no plan')
  const bail = read('TAP version 13\n1..2\nok 1 - a\nBail out! database is gone\n').failures.map(
    ({ message }) => message,
  )
  expect(bail.join()).toContain('database is gone')
})

test('no tests at all is a report of none', () => {
  expect(read('TAP version 13\n1..0\n')).toMatchObject({ format: 'tap', total: 0, failed: 0 })
  expect(read('<testsuites/>')).toMatchObject({ format: 'junit', total: 0 })
  expect(read('{"numTotalTests":0,"success":true,"testResults":[]}')).toMatchObject({
    format: 'vitest-json',
    total: 0,
  })
})

test('what is no report is never read as one', () => {
  const texts = [
    '',
    'all 12 tests passed',
    'ok',
    'ok 1 - looks like it but has no plan',
    '{"numTotalTests": 3, "testResults": [',
    '{"numTotalTests": "many", "testResults": 1}',
    '<testsuites><testsuite>',
    '<testsuites><testsuite></testsuites>',
    '<testsuites><!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite name="&a;"/></testsuites>',
    '<html><testsuite-like></html>',
    '\0\u0001\ufffd',
  ]
  for (const text of texts) {
    expect(read(text), JSON.stringify(text)).toMatchObject({
      format: 'none',
      total: 0,
      warnings: [expect.any(String)],
    })
  }
})

test('failures are bounded and fit for a database', () => {
  const many = Array.from({ length: 500 }, (_, at) => `not ok ${at + 1} - test ${at}`).join('\n')
  const report = read(`TAP version 13\n${many}\n1..500\n`)
  expect(report.failed).toBe(500)
  expect(report.failures).toHaveLength(200)
  expect(report.warnings.join()).toContain('500 tests failed')
  const odd = {
    ...jest,
    testResults: [
      {
        name: 'x',
        status: 'failed',
        message: `a\0b\u001b[31mred\u001b[0m ${'\ud800'} ${'x'.repeat(20_000)}`,
        assertionResults: [],
      },
    ],
    numFailedTests: 0,
  }
  const message = read(JSON.stringify(odd)).failures[0]?.message ?? ''
  expect(message).toMatch(/^a␀bred � x+…$/)
  expect(message.length).toBeLessThan(8_100)
})
