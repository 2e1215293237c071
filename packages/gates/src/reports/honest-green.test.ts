// What is green is not called red or unreadable for what its tests print, or for how little time they took.
import { expect, test } from 'vitest'
import { readReport } from './read-report.ts'

const read = (text: string) => readReport(text, '/project')
const vitest = (counts: string, printed = ''): string =>
  ` RUN  v3.2.4 /project\n\n${printed} ✓ a.test.mjs (2 tests) 2ms\n\n Test Files  1 passed (1)\n      Tests  ${counts}\n   Start at  10:00:00\n   Duration  200ms\n`
const suites = (root: string, suite: string): string =>
  `<?xml version="1.0"?>\n<testsuites${root}>${suite}</testsuites>\n`

test('tests that took less than a writer tells of have passed', () => {
  const cases = ['a', 'b'].map((name) => `<testcase classname="a.test.js" name="${name}" time="0"/>`).join('')
  const suite = `<testsuite name="a.test.js" tests="2" failures="0" errors="0" time="0">${cases}</testsuite>`
  expect(read(suites(' name="jest tests"', suite))).toMatchObject({ passed: 2, failed: 0 })
  expect(read(suites('', suite))).toMatchObject({ passed: 2, failed: 0 })
  expect(read(suites(' name="vitest tests"', suite)).failed).toBe(1)
})

test('only the last test of a file of bats tells of tests that are missing', () => {
  const said = '<system-out>bats warning: Executed 2 instead of expected 3 tests</system-out>'
  const suite = (name: string, first: string, last: string): string =>
    suites(
      '',
      `<testsuite name="${name}" tests="2" failures="0" errors="0"><testcase classname="${name}" name="a" time="0.1">${first}</testcase><testcase classname="${name}" name="b" time="0.1">${last}</testcase></testsuite>`,
    )
  expect(read(suite('a.test.js', said, said))).toMatchObject({ passed: 2, failed: 0 })
  expect(read(suite('a.bats', said, ''))).toMatchObject({ passed: 2, failed: 0 })
  expect(read(suite('a.bats', '', said)).failed).toBe(1)
})

test('an object that a test began and never ended does not cut off a run that has its counts', () => {
  const begun = '{"config": \n'
  expect(read(vitest('2 passed (2)', begun))).toMatchObject({ format: 'vitest-text', passed: 2, failed: 0 })
  expect(read(vitest('2 passed (2)') + begun).format).toBe('none')
  // Another run after a document that broke off says nothing of it, whatever its tests print.
  expect(read(begun + vitest('2 passed (2)')).format).toBe('none')
  expect(read(begun + vitest('2 passed (2)', begun)).format).toBe('none')
})

const eslint = '\n/project/a.js\n  1:7  warning  no-unused-vars\n\n✖ 1 problem (0 errors, 1 warning)\n\n'
const ava = (printed = ''): string => `\n${printed}  ✔ one\n  ✔ two\n  ─\n\n  2 tests passed\n`
const jest =
  'Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        0.2 s\n'

test.each([
  ['ava-text', 'ava after ESLint', eslint + ava()],
  ['ava-text', 'ava before ESLint', ava() + eslint],
  ['ava-text', 'ava with a mark that a test prints', ava('✖ printed\n')],
  ['jest-text', 'the counts of jest after ESLint', eslint + jest],
  ['pytest-text', 'pytest with a mark that a test prints', '✗ bad thing\n.✗ worse\n.\n2 passed in 0.01s\n'],
])('a mark that is not of the run does not take its counts away: %s, %s', (format, _, text) => {
  expect(read(text)).toMatchObject({ format, passed: 2, failed: 0 })
})
