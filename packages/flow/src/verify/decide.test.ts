import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { fixedSince } from './decide.ts'

const failure = (id: string): TestFailure => ({ id, file: 'a.test.ts', line: 1, message: 'no', stack: null })
const evidence = {
  command: 'npm test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: '0'.repeat(64),
  outputBytes: 0,
  tail: '',
  report: null,
}
const failed = (...ids: [string, ...string[]]): GateResult => ({
  is: 'failed',
  gate: 'tests_pass',
  evidence,
  failures: ids.map(failure),
})
const passed: GateResult = { is: 'passed', gate: 'tests_pass', evidence }
const notRun: GateResult = { is: 'not_run', gate: 'tests_pass', why: 'interrupted' }

const table: [string, GateResult, GateResult | null, string[]][] = [
  ['all that failed, if nothing fails now', passed, failed('a', 'b'), ['a', 'b']],
  ['those that do not fail any more', failed('b', 'c'), failed('a', 'b'), ['a']],
  ['none where nothing failed before', passed, passed, []],
  ['none without a baseline', passed, null, []],
  ['none where nothing ran now', notRun, failed('a'), []],
]

test.each(table)('mended since the baseline: %s', (_, now, baseline, expected) => {
  expect(fixedSince(now, baseline).map(({ id }) => id)).toEqual(expected)
})
