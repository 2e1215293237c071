// Looks up what flow/claim/holds.ts decides by: why nothing new is claimed at present.

import type { AgentId } from '@treadle/contracts/ids'
import { holdsOf } from '@treadle/flow/claim/holds'
import { judgePending } from '@treadle/flow/merge/conflict/decide'
import type { World } from '../world.ts'

type HoldParts = Pick<World, 'budget' | 'readiness' | 'store' | 'config' | 'pressure'>

/** One sentence for each reason; none: items may be claimed. `asks` is at work itself, or wants to be. */
export async function claimHolds(
  { budget, readiness, store, config, pressure }: HoldParts,
  asks: AgentId | null = null,
): Promise<string[]> {
  const conflicts = judgePending(await store.conflicts.pending(), config().limits.pendingConflicts)
  return holdsOf({
    budget: budget.hold(),
    tests: readiness.hold(),
    conflicts,
    machine: await pressure.hold(asks),
  })
}
