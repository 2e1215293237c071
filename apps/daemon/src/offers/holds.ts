// Why nothing new is claimed at present; work in hand goes on.
import { judgePending } from '@treadle/flow/merge/conflict/decide'
import type { World } from '../world.ts'

/** One sentence for each reason; none: items may be claimed. */
export async function claimHolds({
  budget,
  canary,
  store,
  config,
}: Pick<World, 'budget' | 'canary' | 'store' | 'config'>): Promise<string[]> {
  const hold = budget.hold()
  const conflicts = judgePending(await store.conflicts.pending(), config().limits.pendingConflicts)
  const reasons = [hold.is === 'none' ? null : hold.why, canary.hold(), conflicts]
  return reasons.filter((why) => why !== null)
}
