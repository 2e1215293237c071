// The record of a review follows the moves of its item: made with the delivery, ended with the decision.
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import { changesIn } from '../work/asked-for.ts'
import { type Consequence, type Effect, effect, type Moved } from '../work/consequence.ts'
import { disagreementText } from './disagreement.ts'
import { asFeedback } from './feedback.ts'
import { newReview } from './new-review.ts'
import { judgeStandards, RATE_WINDOW } from './standards.ts'
import { withdrawal } from './withdrawal.ts'

const COMMENT_MAX = 16_384

export interface ReviewAfterFacts {
  /** The item's latest review. */
  readonly latest: Review | null
  /** The latest decisions about any item, newest first. */
  readonly decided: readonly Review[]
  /** The reviews that sent the item back, newest first, and its runs; only where it is escalated. */
  readonly refused: readonly Review[]
  readonly runs: readonly Run[]
}

export const afterDelivery: Consequence<ReviewAfterFacts> = {
  after(moved, facts) {
    const { before, after, move } = moved
    if (after.state === 'in_review' && before.state !== 'in_review') return delivered(moved, facts)
    if (before.state === 'escalated' && move.type === 'review.approved')
      return approved(facts.latest, move.approval.by, moved.now)
    if (before.state !== 'in_review' || after.state === 'in_review') return []
    if (move.type === 'review.rejected') return rejected(moved, { ...facts, move })
    const review = openIn(facts)
    if (review === null) return []
    if (move.type === 'review.approved') return approved(review, move.approval.by, moved.now)
    return [
      ...unasked(review, after.reason ?? move.type, moved.now),
      effect('reviews', 'patch', review.id, {
        ...ended(after.reason ?? move.type),
        status: 'rejected',
        feedback: after.reason,
        decidedAt: moved.now,
      }),
    ]
  },
}

function delivered(moved: Moved, { latest }: ReviewAfterFacts): Effect[] {
  const { before, after, run, now } = moved
  const agentId = moved.agentId ?? before.claimedByAgentId ?? run?.agentId ?? null
  const review = newReview(after, { agentId, latest })
  return review === null ? [] : [effect('reviews', 'enqueue', review, now)]
}

function approved(review: Review | null, by: string, decidedAt: Date): Effect[] {
  return review === null
    ? []
    : [
        ...unasked(review, by, decidedAt),
        effect('reviews', 'patch', review.id, { ...ended(by), status: 'approved', decidedAt }),
      ]
}

/** Whoever reads it still need not go on. */
function unasked(review: Review, by: string, now: Date): Effect[] {
  const over = withdrawal(review, { by: by.slice(0, 200), now })
  if (over === null) return []
  return [effect('thoughts', 'end', ...over.end), effect('events', 'append', over.told)]
}

type Rejected = ReviewAfterFacts & { readonly move: Extract<Moved['move'], { type: 'review.rejected' }> }

function rejected(moved: Moved, facts: Rejected): Effect[] {
  const { after, now, config } = moved
  const { move } = facts
  const feedback = asFeedback(move.feedback, {
    cycle: after.reviewCycles,
    cyclesMax: config.limits.reviewCycles,
  })
  const review = openIn(facts)
  const requested = [...(move.changes ?? changesIn(move.feedback))]
  const patch = { ...ended(move.by), status: 'rejected', feedback, requested } as const
  const mine = review === null ? [] : [{ ...review, ...patch }]
  const standards = judgeStandards(
    newest(mine, facts.decided, RATE_WINDOW + 1),
    config.review.rejectionPercent,
  )
  return [
    ...(review === null
      ? []
      : [
          ...unasked(review, move.by, now),
          effect('reviews', 'patch', review.id, { ...patch, decidedAt: now }),
        ]),
    comment(moved, { name: 'feedback', by: move.by, text: feedback }),
    ...(standards.is === 'crossed' ? [notice(moved, 'standards', standards.text)] : []),
    ...(after.state === 'escalated' ? escalated(moved, mine, facts) : []),
  ]
}

function escalated(moved: Moved, mine: readonly Review[], { refused, runs }: ReviewAfterFacts): Effect[] {
  const { item, after } = moved
  const reviews = newest(mine, refused, after.reviewCycles).toReversed()
  const text = disagreementText({ item: after, reviews, runs })
  const told = `#${item.number} was sent back ${after.reviewCycles} times and is yours now; both views are in its comments`
  return [comment(moved, { name: 'escalation', by: 'treadle', text }), notice(moved, 'notice', told)]
}

/** The review that this move decides, with those decided before it, newest first. */
function newest(mine: readonly Review[], others: readonly Review[], limit: number): Review[] {
  return [...mine, ...others].toSorted((one, other) => other.id - one.id).slice(0, limit)
}

function comment(moved: Moved, { name, by, text }: { name: string; by: string; text: string }): Effect {
  return effect('events', 'append', {
    ...toldOf(moved),
    id: `${moved.eventId}:${name}`,
    event: { type: 'item.commented', by, text: text.slice(0, COMMENT_MAX) },
  })
}

function notice(moved: Moved, name: string, text: string): Effect {
  return effect('events', 'append', {
    ...toldOf(moved),
    id: `${moved.eventId}:${name}`,
    event: { type: 'owner.notified', about: 'review', text },
  })
}

function toldOf({ item, after, now }: Moved) {
  return { at: now, item, agentId: null, runId: after.runId, state: after.state }
}

function ended(decidedBy: string) {
  return { waitsFor: null, why: null, decidedBy: decidedBy.slice(0, 500) }
}

/** The latest review, if nobody has decided it. */
function openIn({ latest }: ReviewAfterFacts): Review | null {
  return latest === null || latest.status === 'approved' || latest.status === 'rejected' ? null : latest
}
