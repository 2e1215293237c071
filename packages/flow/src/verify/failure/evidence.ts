// The failures in what the gates found.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'

export function failuresIn(gates: readonly GateResult[]): TestFailure[] {
  return gates.flatMap((gate) => (gate.is === 'failed' ? gate.failures : []))
}

/** The gates whose failures are tests; a secret or a lowered threshold names a file that no runner can run. */
export function testGates(gates: readonly GateResult[]): GateResult[] {
  return gates.filter(({ gate }) => gate === 'tests_pass')
}

/** No test failed, but the command that runs them. */
export function isOfCommand({ id }: Pick<TestFailure, 'id'>): boolean {
  return id === 'test command'
}

/** Tests ran and none is red, but the command fails by itself: no failing test shows what to mend. */
export function isCommandAlone(gates: readonly GateResult[]): boolean {
  const failed = gates.filter((gate) => gate.is === 'failed')
  return (
    failed.length > 0 &&
    failed.every(({ evidence, failures }) => {
      const { report, timedOut } = evidence
      const green = report !== null && report.passed > 0 && report.failed === 0 && !timedOut
      return green && failures.every(isOfCommand)
    })
  )
}

/** What an item itself has to mend: not what the rest of the suite already failed before. */
export function ownGates(baseline: readonly GateResult[]): GateResult[] {
  return baseline.filter(({ gate }) => gate !== 'no_regression')
}
