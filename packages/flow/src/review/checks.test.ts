import { type GateResult, gatesGreen } from '@treadle/contracts/gate'
import { gateSummary } from '@treadle/contracts/words/gates'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { decideChecks } from './checks.ts'

const skipped = (gate: GateResult['gate'], why = 'no'): GateResult => ({ is: 'skipped', gate, why })
const notRun = (gate: GateResult['gate'], why = 'no'): GateResult => ({ is: 'not_run', gate, why })
const warned = (gate: GateResult['gate'], warning: string): GateResult => {
  const passed = green(gate)
  if (passed.is !== 'passed') throw new Error('a green gate passed')
  return { ...passed, is: 'passed_with_warnings', warnings: [warning] }
}

const table: [string, GateResult[], string][] = [
  ['all green', [green(), green('linter_pass'), green('witness')], 'clear'],
  ['tests red', [red()], 'reject'],
  ['a regression', [green(), red('no_regression')], 'reject'],
  ['lint red', [green(), red('linter_pass')], 'reject'],
  ['coverage too low', [green(), red('coverage_pass')], 'reject'],
  ['a secret', [green(), red('secrets')], 'reject'],
  ['a weakened test', [green(), red('test_integrity')], 'reject'],
  ['a grave weakness of a package', [green(), red('security')], 'reject'],
  ['a new test that proves nothing', [green(), red('witness')], 'reject'],
  ['few comments', [green(), red('documentation')], 'clear'],
  ['weak tests', [green(), red('mutation')], 'clear'],
  ['strength not measured', [green(), notRun('mutation')], 'clear'],
  ['no registry', [green(), skipped('security')], 'clear'],
  ['tests not run', [notRun('tests_pass'), green('secrets')], 'unclear'],
  ['the base could not be set up', [green(), notRun('witness')], 'unclear'],
  ['one red, one not run', [red('secrets'), notRun('witness')], 'reject'],
  ['nothing at all', [], 'unclear'],
  ['nothing but advice', [green('mutation'), skipped('security')], 'unclear'],
  ['a linter that is not there', [green(), notRun('linter_pass')], 'clear'],
]

test.each(table)('the checks of a review: %s', (_, checks, is) => {
  expect(decideChecks(checks).is).toBe(is)
})

verifies(
  ['ORCH-3.4-6', 'ORCH-3.4-7', 'ORCH-3.4-8'],
  'failing tests, lint and grave weaknesses each block, and what failed is handed on',
  () => {
    for (const gate of ['tests_pass', 'linter_pass', 'security'] as const) {
      const choice = decideChecks([green('secrets'), red(gate, ['what'])])
      expect(choice).toMatchObject({ is: 'reject', failed: [{ gate, failures: [{ id: 'what' }] }] })
    }
  },
)

verifies('ORCH-3.4-10', 'a check whose tool is not there is skipped with a warning', () => {
  const missing = [notRun('linter_pass', 'eslint was not found'), skipped('security', 'npm was not found')]
  expect(decideChecks([green(), ...missing])).toEqual({
    is: 'clear',
    warnings: ['lint was not run: eslint was not found', 'security was skipped: npm was not found'],
  })
  // Not so the tests: a change that nothing has tried is looked at by a person.
  expect(decideChecks([notRun('tests_pass', 'make was not found'), green('secrets')]).is).toBe('unclear')
})

verifies('AC-3.4.f', 'what does not block is told as a warning', () => {
  const checks = [
    green(),
    warned('documentation', '1 of 4 are documented'),
    notRun('linter_pass', 'eslint was not found'),
    notRun('mutation', 'only JavaScript'),
  ]
  expect(decideChecks(checks)).toEqual({
    is: 'clear',
    warnings: [
      'documentation: 1 of 4 are documented',
      'lint was not run: eslint was not found',
      'test strength was not run: only JavaScript',
    ],
  })
})

test('advice makes no gates green and none red', () => {
  expect(gatesGreen([green('documentation'), green('mutation')])).toBe(false)
  expect(gatesGreen([green(), notRun('mutation'), red('documentation')])).toBe(true)
  expect(gatesGreen([green(), notRun('witness')])).toBe(false)
  expect(gateSummary([green(), notRun('mutation')])).toContain('Every configured gate holds.')
  expect(gateSummary([green(), red('security')])).toContain('Blocked by security.')
})
