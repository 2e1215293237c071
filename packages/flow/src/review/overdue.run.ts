// Reviews that wait, or are held, for longer than a review may take: told once, and a claim of that age ends.
import type { AgentId } from '@treadle/contracts/ids'
import type { Review } from '@treadle/contracts/review'
import { duration } from '@treadle/contracts/words/time'
import type { AdvanceWorld } from '../advance.ts'
import { refer } from './review.run.ts'

export interface OverdueWorld extends AdvanceWorld {
  /** Halted by a pause: its clocks stand still until it goes on. */
  readonly isFrozen?: (id: AgentId) => Promise<boolean>
}

const BATCH = 100

export async function runOverdue(world: OverdueWorld): Promise<number> {
  const { store } = world
  const before = new Date(world.now().getTime() - world.config().limits.reviewWaitMs)
  let told = 0
  for (const review of await store.reviews.overdue(before, BATCH)) {
    const holder = review.claimedByAgentId
    if (holder !== null && ((await world.isFrozen?.(holder)) ?? false)) continue
    if (await escalate(world, review)) told += 1
  }
  return told
}

function escalate(world: OverdueWorld, seen: Review): Promise<boolean> {
  const { store } = world
  return store.tx(async () => {
    const ref = { projectNumber: seen.projectNumber, number: seen.issueNumber }
    const item = await store.items.lock(ref)
    const review = await store.reviews.lock(seen.id)
    // Somebody was faster.
    if (item === null || review === null || review.status !== seen.status || review.fence !== seen.fence)
      return false
    const held = review.status === 'in_review'
    const after = duration(world.config().limits.reviewWaitMs)
    const why = held
      ? `${review.claimedByAgentId} has had the review for more than ${after} without an answer`
      : `nobody has decided the review for more than ${after}`
    await store.reviews.patch(review.id, {
      escalatedAt: world.now(),
      ...(held ? { status: 'pending' as const, waitsFor: 'person' as const, why } : {}),
    })
    await store.events.append({
      id: `escalated:${review.id}:${held ? review.fence : 'pending'}`,
      at: world.now(),
      item: ref,
      agentId: null,
      runId: review.runId,
      state: item.state,
      event: { type: 'review.escalated', reviewId: review.id, why },
    })
    // A reviewer may still come for one that waits; the owner knows of it from now on.
    await refer(world, { item, review, name: 'overdue' }, why)
    return true
  })
}
