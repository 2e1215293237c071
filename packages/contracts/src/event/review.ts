// What is told of a review.
import { z } from 'zod'
import { COMMENTS_MAX, LineComment } from '../delivery.ts'
import { DeliveryEvidence } from '../evidence-level.ts'
import { CommitId } from '../ids.ts'
import { Approval } from '../item.ts'
import { event, line, type Sentences, why } from './shape.ts'

/** The delivery that was decided about; absent where nobody said which one they had read. */
const head = CommitId.optional()

/** What only the daemon may say of an item. */
const daemonMoves = [
  event('review.approved', { approval: Approval, head }),
  event('review.rejected', {
    by: z.string().min(1),
    feedback: why,
    /** The single changes that are asked for; not there: the feedback is one, or a list of them. */
    changes: z.array(z.string().min(1).max(2_000)).max(100).optional(),
    /** What was asked for on lines of the delivery; among the changes as well, in words. */
    comments: z.array(LineComment).max(COMMENTS_MAX).optional(),
    head,
    /** The next claim starts from the target, and not from what was delivered. */
    fresh: z.literal(true).optional(),
  }),
  /** Neither checks nor a reviewer could decide it: a person has to. */
  event('review.referred', { why }),
  /** The checks of a delivery have run; this is what they bear out. */
  event('review.checked', {
    evidence: DeliveryEvidence,
    /** Acceptance criteria that something or somebody has judged, by their text. */
    judged: z.array(z.strictObject({ text: z.string(), isMet: z.boolean() })).optional(),
  }),
] as const

/** Facts that move no item. */
const facts = [
  event('review.claimed', { reviewId: z.int(), cycle: z.int() }),
  /** It has waited, or was held, for longer than a review may take. */
  event('review.escalated', { reviewId: z.int(), why }),
] as const

export const reviewEvents = {
  daemonMoves,
  facts,
  sentences: {
    'review.approved': ({ approval }, { item }) =>
      approval.kind === 'standing_order'
        ? line(`${item} was approved automatically`, `by ${approval.by}`, 'good')
        : line(`${approval.by} approved ${item}`, null, 'good'),
    'review.rejected': ({ by, feedback, fresh }, { item }) =>
      line(
        `${by} requested changes to ${item}${fresh === true ? ', to be started over' : ''}`,
        feedback,
        'attention',
      ),
    'review.referred': ({ why }, { item }) => line(`The review of ${item} needs you`, why, 'attention'),
    'review.checked': ({ evidence }, { item }) =>
      line(`The change for ${item} is ${evidence.level}`, evidence.why, 'plain'),
    'review.claimed': ({ cycle }, { agent, item }) =>
      line(`${agent} began to review ${item}`, cycle === 1 ? null : `delivery ${cycle}`, 'busy'),
    'review.escalated': ({ why }, { item }) => line(`The review of ${item} takes too long`, why, 'attention'),
  } satisfies Sentences<(typeof daemonMoves)[number] | (typeof facts)[number]>,
}
