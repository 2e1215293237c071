import type { Evidence, GateName, GateResult, TestFailure } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { failuresIn, isCommandAlone, testGates } from './evidence.ts'

const report = (passed: number, failed: number) =>
  ({ format: 'tap', total: passed + failed, passed, failed, skipped: 0 }) as Evidence['report']

function red(gate: GateName, ids: [string, ...string[]], evidence: Partial<Evidence> = {}): GateResult {
  const [first, ...rest] = ids.map(
    (id): TestFailure => ({ id, file: `${id}.mjs`, line: null, message: id, stack: null }),
  )
  if (first === undefined) throw new Error('a red gate has a failure')
  const whole = { timedOut: false, report: report(3, 0), ...evidence } as Evidence
  return { is: 'failed', gate, evidence: whole, failures: [first, ...rest] }
}

test('only the tests gate names files that a runner can run', () => {
  const gates = [red('tests_pass', ['a']), red('no_regression', ['b']), red('secrets', ['k.pem'])]
  expect(failuresIn(testGates(gates)).map(({ id }) => id)).toEqual(['a'])
})

test.each<[string, GateResult[], boolean]>([
  ['all green and a bad exit', [red('tests_pass', ['test command'])], true],
  ['a red test', [red('tests_pass', ['a'], { report: report(2, 1) })], false],
  ['a red test beside it', [red('tests_pass', ['test command', 'a'], { report: report(2, 1) })], false],
  ['no test ran', [red('tests_pass', ['test command'], { report: report(0, 0) })], false],
  ['no report', [red('tests_pass', ['test command'], { report: null })], false],
  ['cut short', [red('tests_pass', ['test command'], { timedOut: true })], false],
  ['another gate is red', [red('tests_pass', ['test command']), red('linter_pass', ['linter'])], false],
  ['nothing is red', [{ is: 'not_run', gate: 'tests_pass', why: 'no command' }], false],
])('the command alone fails: %s', (_, gates, alone) => {
  expect(isCommandAlone(gates)).toBe(alone)
})
