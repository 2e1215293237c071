// A delivery as a review that is to be made.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { NewReview } from '../ports/reviews.ts'
import { readCriteria } from './criteria.ts'

/** Null: nothing was delivered, or nobody knows by whom. */
export function newReview(item: Item, agentId: AgentId | null): NewReview | null {
  const { branch, headCommit: head, runId, projectNumber, number } = item
  if (branch === null || head === null || runId === null || agentId === null) return null
  const read = readCriteria(item)
  const criteria = read.is === 'found' ? read.criteria : []
  const cycle = item.reviewCycles + 1
  return { item: { projectNumber, number }, branch, head, runId, cycle, agentId, criteria }
}
