// What the record of a review depends on when its item moves: looked up only where the move is about a review.
import type { Review } from '@treadle/contracts/review'
import type { Store } from '../ports/store.ts'
import type { Moved } from '../work/consequence.ts'
import type { ReviewAfterFacts } from './after.ts'
import { RATE_WINDOW } from './standards.ts'

const NOTHING: ReviewAfterFacts = { latest: null, decided: [], refused: [], runs: [] }
const RUNS_MAX = 50

export async function readReviewFacts(
  store: Pick<Store, 'reviews' | 'runs'>,
  { item, before, after, move }: Moved,
): Promise<ReviewAfterFacts> {
  const leaves = before.state === 'in_review' && after.state !== 'in_review'
  const isApprovedLate = before.state === 'escalated' && move.type === 'review.approved'
  const isDelivered = before.state !== 'in_review' && after.state === 'in_review'
  if (!leaves && !isApprovedLate && !isDelivered) return NOTHING
  const latest = await store.reviews.latest(item)
  if (!leaves || move.type !== 'review.rejected') return { ...NOTHING, latest }
  const decided = await latestDecisions(store)
  if (after.state !== 'escalated') return { ...NOTHING, latest, decided }
  const refused = await store.reviews.list({ status: 'rejected', item, limit: after.reviewCycles })
  return { latest, decided, refused, runs: await store.runs.ofItem(item, RUNS_MAX) }
}

async function latestDecisions({ reviews }: Pick<Store, 'reviews'>): Promise<Review[]> {
  const limit = RATE_WINDOW + 1
  const approved = await reviews.list({ status: 'approved', limit })
  const refused = await reviews.list({ status: 'rejected', limit })
  return [...approved, ...refused].toSorted((one, other) => other.id - one.id).slice(0, limit)
}
