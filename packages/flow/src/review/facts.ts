// What is known of a delivery, as the decision needs it.
import type { Config } from '@treadle/contracts/config'
import { findingOf } from '@treadle/contracts/finding-measure'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { reviewerIn } from '../work/approval.ts'
import { isTask } from '../work/build-items.ts'
import { readCriteria } from './criteria.ts'
import { decideReview, type ReviewFacts } from './decide.ts'
import { judgeEvidence } from './evidence-level.ts'

export function reviewFacts(item: Item, review: Review, config: Config): ReviewFacts {
  const read = readCriteria(item)
  return {
    approval: config.merge.approval,
    confidence: item.confidence,
    evidence: review.evidence ?? judgeEvidence(review.checks),
    needs: config.merge.needs,
    gates: review.checks,
    // As they were judged so far; the item may have been given others since.
    criteria: review.criteria.some(({ askedIn }) => askedIn === undefined)
      ? { is: 'found', criteria: review.criteria }
      : read,
    asked: review.criteria.filter(({ askedIn }) => askedIn !== undefined),
    repeats: review.repeats,
    reviewer: reviewerIn(config),
    isFinding: item.measure !== null && findingOf(item.measure.command) !== null,
    isTask: isTask(item),
  }
}

/** Whether the daemon has something to do about a delivery that waits: checks to run, or a word to say. */
export function needsReviewJob(item: Item, review: Review | null, config: Config): boolean {
  if (review === null || (review.checkedAt === null && review.status === 'pending')) return true
  if (review.status !== 'pending') return false
  const choice = decideReview(reviewFacts(item, review, config))
  if (choice.is !== 'wait') return true
  // What a reviewer could not decide is not given to the next one.
  const isJudged = review.judgement !== null || review.engine !== null || review.escalatedAt !== null
  if (review.waitsFor === 'person' && isJudged) return false
  return review.waitsFor !== choice.for || asksAnother(review, config)
}

/** It waits for an engine that the settings do not name any more. */
function asksAnother({ waitsFor, judgement }: Review, config: Config): boolean {
  const reviewer = reviewerIn(config)
  return waitsFor === 'reviewer' && reviewer.is === 'engine' && judgement?.engine !== reviewer.name
}
