// The failures in what the gates found.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'

export function failuresIn(gates: readonly GateResult[]): TestFailure[] {
  return gates.flatMap((gate) => (gate.is === 'failed' ? gate.failures : []))
}

/** What an item itself has to mend: not what the rest of the suite already failed before. */
export function ownGates(baseline: readonly GateResult[]): GateResult[] {
  return baseline.filter(({ gate }) => gate !== 'no_regression')
}
