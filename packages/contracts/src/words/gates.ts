// What the checks found, in a few words.
import type { GateName, GateResult } from '../gate.ts'

export const GATE_WORDS: Readonly<Record<GateName, string>> = {
  tests_pass: 'tests',
  no_regression: 'no regression',
  linter_pass: 'lint',
  coverage_pass: 'coverage',
  secrets: 'secrets',
  test_integrity: 'test integrity',
}

export function gatesWords(gates: readonly GateResult[]): string {
  return gates.map(gateWords).join(', ')
}

function gateWords(result: GateResult): string {
  const gate = GATE_WORDS[result.gate]
  switch (result.is) {
    case 'passed':
    case 'passed_with_warnings': {
      const report = result.evidence.report
      const how = result.is === 'passed' ? 'passed' : 'passed with warnings'
      return report ? `${gate} ${how} (${report.passed} of ${report.total})` : `${gate} ${how}`
    }
    case 'failed':
      return `${gate} failed (${result.failures.length})`
    case 'skipped':
      return `${gate} skipped`
    case 'not_run':
      return `${gate} not run`
  }
}
