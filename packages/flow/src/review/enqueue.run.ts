// The review record of a delivery, made where a person or the job asks for it outside of a move.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { Store } from '../ports/store.ts'
import { newReview } from './new-review.ts'

/** The review of the delivery that the item waits with; null if there is nothing delivered. */
export async function enqueueReview(
  store: Pick<Store, 'runs' | 'reviews'>,
  item: Item,
  { now, agentId }: { now: Date; agentId: AgentId | null },
): Promise<Review | null> {
  const run = agentId === null && item.runId !== null ? await store.runs.find(item.runId) : null
  const latest = await store.reviews.latest({ projectNumber: item.projectNumber, number: item.number })
  const review = newReview(item, { agentId: agentId ?? run?.agentId ?? null, latest })
  return review === null ? null : store.reviews.enqueue(review, now)
}
