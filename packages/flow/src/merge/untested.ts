// May an item be merged although no test ran on what the merge would be? Pure.
import { reaches } from '@treadle/contracts/evidence-level'
import { type GateResult, isBlocking } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'

/**
 * Whether only the want of tests speaks against a merge that a person has approved. Where the review had found more
 * than that, the tests were lost since, and nobody has approved that.
 */
export function mayMergeUntested(
  { approval, evidence }: Pick<Item, 'approval' | 'evidence'>,
  gates: readonly GateResult[],
): boolean {
  if (approval?.kind !== 'human') return false
  if (evidence !== null && reaches(evidence.level, 'supported')) return false
  return gates.filter(isBlocking).every((gate) => gate.is === 'not_run' && gate.noTests === true)
}
