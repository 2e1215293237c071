// Deliveries that are held against their acceptance criteria before they may be merged.
import { z } from 'zod'
import { DeliveryChange } from '../delivery.ts'
import { AgentId, Positive } from '../ids.ts'
import { Item } from '../item.ts'
import { Review, ReviewStatus, ReviewWaitsFor } from '../review.ts'
import { inPath, page, route } from '../route.ts'
import { Thought } from '../thought.ts'
import { claimBody } from './thoughts.ts'

const reviewPath = z.strictObject({ id: inPath })
const NO_REVIEW = { 404: 'There is no such review' }
const limit = z.coerce.number().int().min(1).max(1_000).default(100)

/** All that a reviewer is told; the history of the repository is not part of it. */
export const ReviewMaterial = z.strictObject({
  review: Review,
  item: Item,
  base: z.string().nullable(),
  changedFiles: z.array(z.string()),
  /** The beginning of the change as a unified diff. */
  diff: z.string(),
  diffCut: z.boolean(),
  /** The models that were asked for the change: another one should read it. */
  authorModels: z.array(z.string()),
  /** What earlier reviews of this item sent back, oldest first. */
  earlier: z.array(z.string()),
})
export type ReviewMaterial = z.infer<typeof ReviewMaterial>

export const reviewRoutes = {
  enqueueReview: route({
    method: 'POST',
    path: '/api/reviews/enqueue',
    key: 'crew',
    summary:
      'Have a delivered item reviewed; a delivery that is enqueued already is answered with its review',
    body: z.strictObject({
      projectNumber: Positive,
      issueNumber: Positive,
      branchName: z.string().min(1).max(300),
      completedByAgentId: AgentId,
    }),
    problems: { 404: 'There is no such item', 409: 'The item is not delivered, or by somebody else' },
    response: Review,
    status: 201,
  }),
  reviewQueue: route({
    method: 'GET',
    path: '/api/reviews/queue',
    key: 'crew',
    summary: 'Pending reviews, the longest delivered first',
    query: z.strictObject({ waitsFor: ReviewWaitsFor.optional(), limit }),
    response: page(Review),
  }),
  listReviews: route({
    method: 'GET',
    path: '/api/reviews',
    key: 'crew',
    summary: 'Reviews of any status, newest first',
    query: z.strictObject({
      status: ReviewStatus.optional(),
      projectNumber: inPath.optional(),
      issueNumber: inPath.optional(),
      limit,
    }),
    response: page(Review),
  }),
  showReview: route({
    method: 'GET',
    path: '/api/reviews/:id',
    key: 'crew',
    summary: 'One review with all that a reviewer is told',
    params: reviewPath,
    problems: NO_REVIEW,
    response: ReviewMaterial,
  }),
  showChange: route({
    method: 'GET',
    path: '/api/reviews/:id/change',
    key: 'crew',
    summary:
      'What a delivery changes, file by file, or what changed since an earlier one; and the comments on it',
    params: reviewPath,
    query: z.strictObject({ since: inPath.optional() }),
    problems: { 404: 'There is no such review, or no such earlier delivery' },
    response: DeliveryChange,
  }),
  claimReview: route({
    method: 'POST',
    path: '/api/reviews/:id/claim',
    key: 'crew',
    summary:
      'Take a pending review: its thought is claimed, and answered by POST /api/thoughts/{id}/answer; one gets it',
    params: reviewPath,
    body: claimBody,
    problems: {
      ...NO_REVIEW,
      409: 'Somebody else has it, it does not wait for a reviewer, or it is own work',
    },
    response: Review.extend({ thought: Thought }),
  }),
} as const
