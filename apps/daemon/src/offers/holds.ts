// Looks up what flow/claim/holds.ts decides by: why nothing new is claimed at present.
import { holdsOf } from '@treadle/flow/claim/holds'
import { judgePending } from '@treadle/flow/merge/conflict/decide'
import type { World } from '../world.ts'

/** One sentence for each reason; none: items may be claimed. */
export async function claimHolds({
  budget,
  readiness,
  store,
  config,
}: Pick<World, 'budget' | 'readiness' | 'store' | 'config'>): Promise<string[]> {
  const conflicts = judgePending(await store.conflicts.pending(), config().limits.pendingConflicts)
  return holdsOf({ budget: budget.hold(), tests: readiness.hold(), conflicts })
}
