import type { GateResult } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { decideChecks } from './checks.ts'
import { asFeedback, changesForChecks, FEEDBACK_MAX, feedbackText, issuesOfChecks } from './feedback.ts'

verifies(
  'ORCH-3.5-5',
  'feedback has the cycle, the status, what was found, what to change, and what is next',
  () => {
    const text = feedbackText({
      cycle: 2,
      cyclesMax: 3,
      issues: ['Acceptance criterion 2 not met: expected X, observed Y'],
      changes: ['Add a test case for Z', 'Update `foo()`\nto handle null'],
      warnings: [],
    })
    expect(text).toBe(`## Review Feedback - Cycle 2/3

**Status:** REJECTED

**Issues Found:**
- Acceptance criterion 2 not met: expected X, observed Y

**Requested Changes:**
1. Add a test case for Z
2. Update \`foo()\` to handle null

**Next Steps:**
Please address the issues above and re-submit for review.`)
  },
)

const coverage: GateResult = {
  ...(red('coverage_pass') as Extract<GateResult, { is: 'failed' }>),
  failures: [
    {
      id: 'coverage',
      file: null,
      line: null,
      message: 'Test coverage below threshold (45%, need 80%)',
      stack: null,
    },
  ],
}

verifies('ORCH-3.5-6', 'a coverage that is too low is named with both figures', () => {
  expect(issuesOfChecks([green(), coverage])[0]).toContain('below threshold (45%, need 80%)')
  expect(changesForChecks([coverage])[0]).toContain('45%, need 80%')
})

verifies('AC-3.4.f', 'what a check only warns of is in the feedback and is no issue', () => {
  const warned: GateResult = {
    is: 'passed_with_warnings',
    gate: 'documentation',
    evidence: (green() as Extract<GateResult, { is: 'passed' }>).evidence,
    warnings: ['1 of 4 new public names is documented (25 %, 50 % wanted)'],
  }
  const checks = [red(), warned, { is: 'skipped', gate: 'security', why: 'no lock file' } as const]
  expect(issuesOfChecks(checks)).toHaveLength(1)
  const warnings = decideChecks(checks).warnings
  expect(warnings.join('\n')).toContain('25 %, 50 % wanted')
  expect(warnings.join('\n')).toContain('skipped: no lock file')
  const text = feedbackText({ cycle: 1, cyclesMax: 3, issues: issuesOfChecks(checks), changes: [], warnings })
  expect(text).toMatch(/\*\*Warnings:\*\*\n- .*25 %/)
})

test('a failed check is told with its first failure, its command and its exit code', () => {
  const [issue] = issuesOfChecks([red('tests_pass', ['adds', 'subtracts'])])
  expect(issue).toContain('failed (2): adds: expected 1 to be 2 [npm test ended with 1, output 000000000000]')
})

test('words of a person get the same form, and what has it is left alone', () => {
  const told = asFeedback('Too slow', { cycle: 1, cyclesMax: 3 })
  expect(told).toContain('## Review Feedback - Cycle 1/3')
  expect(told).toContain('- Too slow')
  expect(asFeedback(told, { cycle: 2, cyclesMax: 3 })).toBe(told)
})

test('however much there is to say, it fits', () => {
  const many = Array.from({ length: 200 }, (_, at) => `${at} ${'x'.repeat(2_000)}`)
  const text = feedbackText({ cycle: 1, cyclesMax: 3, issues: many, changes: many, warnings: many })
  expect(text.length).toBeLessThanOrEqual(FEEDBACK_MAX)
  expect(text).toContain('and 196 more')
  expect(text).toContain('**Next Steps:**')
})
