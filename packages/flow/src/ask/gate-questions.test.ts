import type { GateResult } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { triggersOf } from './gate-questions.ts'

const message = '62.5 % of lines are covered (5 of 8), 80 % are asked for (coverage/lcov.info)'
const evidence = {
  command: 'coverage',
  exitCode: 1,
  signal: null,
  timedOut: false,
  durationMs: 1,
  output: 'a'.repeat(64),
  outputBytes: 1,
  tail: '',
  report: null,
}
const failed = (gate: 'coverage_pass' | 'linter_pass'): GateResult => ({
  is: 'failed',
  gate,
  evidence,
  failures: [{ id: 'line coverage', file: null, line: null, message, stack: null }],
})

test('coverage below its threshold is an event of the catalogue, other failures are not', () => {
  expect(triggersOf([failed('linter_pass'), failed('coverage_pass')], 80)).toEqual([
    {
      agent: 'validation',
      event: 'coverage_below_threshold',
      facts: { coverage: 62.5, threshold: 80, uncovered_list: ['3 of 8 lines'] },
    },
  ])
  expect(triggersOf([failed('linter_pass')], 80)).toEqual([])
  expect(triggersOf([{ is: 'passed', gate: 'coverage_pass', evidence }], 80)).toEqual([])
  expect(triggersOf([failed('coverage_pass')], null)).toEqual([])
})
