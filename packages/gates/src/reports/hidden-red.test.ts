// What is red stays red, whatever green text stands around it.
import { expect, test } from 'vitest'
import { withoutLabels } from './line-labels.ts'
import { readReport } from './read-report.ts'

const read = (text: string, format?: Parameters<typeof readReport>[2]) => readReport(text, '/project', format)
const redVitest =
  ' RUN  v3.2.4 /project\n\n ❯ a.test.mjs (3 tests | 1 failed) 2ms\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n   Start at  10:00:00\n   Duration  200ms\n'
const redMocha =
  '\n\n  ✔ a\n  1) broken\n\n\n  1 passing (3ms)\n  1 failing\n\n  1) broken:\n     Error: no\n      at a.js:1:1\n\n'
const greenMocha = '\n\n  ✔ one\n\n  1 passing (3ms)\n\n'
const greenTap = 'TAP version 13\nok 1 - a\n1..1\n'
const greenJson = JSON.stringify({
  stats: { passes: 1, pending: 0, failures: 0 },
  tests: [],
  pending: [],
  passes: [{}],
  failures: [],
})

test.each([
  ['vitest and TAP', redVitest, greenTap],
  ['vitest and a document', redVitest, greenJson],
  ['mocha and TAP', redMocha, greenTap],
  ['mocha and a document', redMocha, greenJson],
])('a red run before a line that looks like a command is not skipped: %s', (_, red, green) => {
  expect(read(`${red}$ x\n${greenMocha}${green}`).failed).toBe(1)
  expect(read(`${red}> p@1.0.0 test\n${greenMocha}${green}`).failed).toBe(1)
})

test('the lines of a label are read however many labels there are', () => {
  const labelled = (label: string, text: string): string[] =>
    text.split('\n').map((line) => `${label}: ${line}`)
  const others = Array.from({ length: 199 }, (_, at) => labelled(`b${at}:test`, 'builds\ndone')).flat()
  const lines = [...labelled('a:test', greenTap.trim()), ...others, ...labelled('z:test', redVitest)]
  expect(read(lines.join('\n'))).toMatchObject({ failed: 1 })
})

test('a line that only looks labelled stays where it is, and one that is all of a label is read', () => {
  const green = ['ok 1 - a', '1..1', 'done', 'done', 'done', 'done'].map((line) => `web:test: ${line}`)
  expect(read([...green, ...green].join('\n'))).toMatchObject({ format: 'tap', failed: 0 })
  expect(read([...green, ...green, 'api:test: not ok 1 - b'].join('\n')).failed).toBeGreaterThan(0)
  // PHPUnit's counts look like the line of a label.
  const counts = ['PHPUnit 11.5.1 by Sebastian Bergmann.', 'Tests: 2, Assertions: 2, Failures: 1.']
  const labelled = [...green, ...green].map((line) => line.replace('test: ', 'test: - '))
  expect(read([...labelled, ...counts].join('\n')).failed).toBe(1)
  expect(withoutLabels([...labelled, ...counts].join('\n'))).toContain(counts.join('\n'))
})

const phpunit =
  'PHPUnit 11.5.1 by Sebastian Bergmann and contributors.\n\nF.  2 / 2 (100%)\n\nTime: 00:00.010\n\nThere was 1 failure:\n\n1) ATest::testA\nFailed asserting that 1 is 2.\n\n/project/ATest.php:8\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 1.\n'
const jasmine =
  'Started\nF.\n\nFailures:\n1) a\n  Message:\n    no\n\n2 specs, 1 failure\nFinished in 0.1 seconds\n'
const minitest =
  '# Running:\n\nF.\n\n  1) Failure:\nATest#test_a [a.rb:3]:\nExpected 1 to be 2.\n\n2 runs, 2 assertions, 1 failures, 0 errors, 0 skips\n'

test.each([
  ['phpunit-text', phpunit, 'OK (1 test, 1 assertion)'],
  ['jasmine-text', jasmine, '1 spec, 0 failures'],
  ['minitest-text', minitest, '1 runs, 1 assertions, 0 failures, 0 errors, 0 skips'],
] as const)(
  'what is printed after the counts of a red run does not take their place: %s',
  (format, red, green) => {
    for (const after of [`${green}\n`, `\n${green}\n`, `\n${green}\n\n${green}\n`]) {
      const told = { format, passed: 1, failed: 1, failures: [{ message: expect.stringMatching(/no|1/) }] }
      expect(read(red + after)).toMatchObject(told)
      expect(read(red + after, format)).toMatchObject(told)
    }
  },
)

const greenAva = '  ─\n\n  2 tests passed\n'
const greenPytest = '2 passed in 0.01s\n'

test.each([
  ['node marks a test before the counts', `✖ bad (1.5ms)\n${greenPytest}`],
  [
    'node marks a test named like the sum of ESLint',
    `✖ 1 problem (0 errors, 1 warning) (1ms)\n${greenPytest}`,
  ],
  ['ava marks a test named like the sum of ESLint', `  ✖ 1 problem (0 errors, 1 warning)\n${greenPytest}`],
  ['ava marks a test before the counts', `  ✔ one\n  ✔ two\n  ✘ [fail]: three\n${greenPytest}`],
  ['vitest marks a test before the counts', `   × bad 3ms\n${greenPytest}`],
  ['bun marks a test before the counts', `✗ bad [0.10ms]\n${greenPytest}`],
  ['TAP before the counts', `  ✔ one\n  ✔ two\nnot ok 1 - bad\n${greenAva}`],
  ['a mark of an unknown runner after the counts', `${greenPytest}✗ bad\n`],
  ['ava has not as many marks as it counts', `✖ bad\n  ✔ one\n${greenAva}`],
])(
  'counts that nothing confirms are not green beside a failed test of a run that broke off: %s',
  (_, text) => {
    const report = read(text)
    expect(report.failed > 0 || report.format === 'none', JSON.stringify(report)).toBe(true)
  },
)

const shortLines = (...lines: readonly string[]): string =>
  `${['=== short test summary info ===', ...lines].join('\n')}\n`
const failedShort = 'FAILED test_a.py::test_b - assert 1 == 2'

test('dots that are printed before the signs of a quiet pytest are not its signs', () => {
  const signs = `...\nInstalled.\n.F [100%]\n`
  const told = { format: 'pytest-text', passed: 1, failed: 1 }
  expect(read(signs + shortLines(failedShort))).toMatchObject(told)
  const block =
    '=== FAILURES ===\n___ test_b ___\n\n    assert 1 == 2\nE   assert 1 == 2\n--- Captured stdout call ---\n...\n'
  expect(read(signs + block + shortLines(failedShort))).toMatchObject(told)
})

test('a quiet pytest after another run is counted by its own signs', () => {
  const first =
    '..F [100%]\n=== FAILURES ===\n___ test_a ___\nE   no\n=== short test summary info ===\nFAILED test_a.py::test_a - no\n1 failed, 2 passed in 0.01s\n'
  expect(read(`${first}.F [100%]\n${shortLines(failedShort)}`)).toMatchObject({ passed: 3, failed: 2 })
})

test('a quiet pytest has no fewer failures than its short lines tell of', () => {
  const two = shortLines(failedShort, 'ERROR test_a.py::test_c - no')
  expect(read(`F\nInstalled.\n..\n${two}`)).toMatchObject({ format: 'pytest-text', failed: 2 })
  // A green run before it does not stand for it.
  expect(read(`5 passed in 0.01s\n...\n${two}`).failed).toBe(2)
  expect(read(`5 passed in 0.01s\nInstalled\n${two}`).failed).toBe(2)
})
