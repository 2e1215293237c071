// A delivery as a review that is to be made.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isReviewer, type Review, type ReviewCriterion } from '@treadle/contracts/review'
import type { NewReview } from '../ports/reviews.ts'
import type { Requested } from '../work/rework.ts'
import { readCriteria } from './criteria.ts'

/** Who sends back what the checks refuse. */
export const CHECKS = 'checks'

/** `latest` is the review of the delivery before. Null: nothing was delivered, or nobody knows by whom. */
export function newReview(
  item: Item,
  { agentId, latest }: { agentId: AgentId | null; latest: Review | null },
): NewReview | null {
  const { branch, headCommit: head, runId, projectNumber, number } = item
  if (branch === null || head === null || runId === null || agentId === null) return null
  const read = readCriteria(item)
  const own = read.is === 'found' ? read.criteria : []
  const criteria = [...own, ...(latest === null ? [] : requestedIn(latest))]
  const cycle = item.reviewCycles + 1
  return { item: { projectNumber, number }, branch, head, runId, cycle, agentId, criteria }
}

/** What is still asked for, and who sent the delivery back last. */
export function openRequestsIn(review: Review): Requested {
  return { requested: requestedIn(review).map(({ description }) => description), sentBy: senderOf(review) }
}

function senderOf({ status, decidedBy }: Review): Requested['sentBy'] {
  if (status !== 'rejected' || decidedBy === null || decidedBy === CHECKS) return null
  return isReviewer(decidedBy) ? 'reviewer' : 'person'
}

const REQUESTED_MAX = 100

/** What was asked for so far and is not known to be done: a list that only gets shorter by doing it. */
function requestedIn({ status, cycle, criteria, requested }: Review): ReviewCriterion[] {
  if (status !== 'rejected') return []
  const open = criteria.filter((criterion) => criterion.askedIn !== undefined && criterion.status !== 'met')
  const asked = new Set(open.map(({ description }) => description))
  const fresh = [...new Set(requested)].filter((text) => !asked.has(text))
  const added = fresh.map((description, index) => ({
    id: `R${cycle}.${index + 1}`,
    description,
    askedIn: cycle,
  }))
  return [...open, ...added]
    .slice(0, REQUESTED_MAX)
    .map(({ id, description, askedIn }) => ({ id, description, askedIn, status: 'pending', note: null }))
}
