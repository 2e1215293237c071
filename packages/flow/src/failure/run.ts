// The likely causes of what the gates found, with the help of the project's own sources.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { GateResult } from '@treadle/contracts/gate'
import type { Gates } from '../ports.ts'
import { failuresIn } from './evidence.ts'
import { groupFailures } from './group.ts'

/** The biggest first: mending it helps most. */
export async function runGrouping(
  gates: Pick<Gates, 'hints'>,
  cwd: string,
  evidence: readonly GateResult[],
): Promise<FailureGroup[]> {
  const failures = failuresIn(evidence)
  if (failures.length === 0) return []
  const groups = groupFailures(failures, await gates.hints(cwd, failures))
  return groups.toSorted((a, b) => b.tests.length - a.tests.length)
}
