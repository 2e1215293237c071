// May this delivered change be merged now, and on whose word?
import type { MergeApproval } from '@treadle/contracts/config/merge'
import { type DeliveryEvidence, type MergeNeeds, reaches } from '@treadle/contracts/evidence-level'
import { type GateResult, needsPerson, type Wait, waitsIn } from '@treadle/contracts/gate'
import type { ReviewCriterion } from '@treadle/contracts/review'
import type { Confidence } from '@treadle/contracts/run'
import { waitWords } from '@treadle/contracts/words/gates'
import { isStandingOrder, type Reviewer } from '../work/approval.ts'
import { decideChecks } from './checks.ts'
import type { CriteriaRead } from './criteria.ts'

export type ReviewChoice =
  | { readonly is: 'approve'; readonly kind: 'standing_order' | 'reviewer'; readonly by: string }
  | { readonly is: 'wait'; readonly for: 'reviewer' }
  /** `why` is null where the owner has said so in the settings. */
  | { readonly is: 'wait'; readonly for: 'person'; readonly why: string | null }
  /** The checks refuse it. */
  | { readonly is: 'reject' }

export interface ReviewFacts {
  readonly approval: MergeApproval
  readonly confidence: Confidence | null
  readonly evidence: DeliveryEvidence
  /** The least evidence that is merged without a person. */
  readonly needs: MergeNeeds
  /** What the system found by itself. */
  readonly gates: readonly GateResult[]
  readonly criteria: CriteriaRead
  readonly reviewer: Reviewer
}

export function decideReview(facts: ReviewFacts): ReviewChoice {
  const { approval, confidence, gates, criteria } = facts
  // What a program can refuse is never asked of a reader.
  const found = decideChecks(gates)
  if (found.is === 'reject') return { is: 'reject' }
  if (found.is === 'unclear') return person(found.because.join('; '))
  const waits = waitsIn(gates)
  if (approval === 'checks' && waits.length > 0) return person(waitsWords(waits))
  const lacking = lackOf(facts)
  if (isStandingOrder(approval, confidence) && lacking !== null) return person(lacking)
  if (isStandingOrder(approval, confidence))
    return { is: 'approve', kind: 'standing_order', by: 'merge.approval=checks' }
  if (approval !== 'reviewer')
    return {
      is: 'wait',
      for: 'person',
      why: doubt(confidence) ?? (waits.length > 0 ? waitsWords(waits) : null),
    }
  if (waits.some(needsPerson)) return person(waitsWords(waits))
  if (criteria.is === 'none') return person('it has no acceptance criteria to hold it against')
  if (criteria.is === 'unreadable') return person(criteria.why)
  return byReader(facts, criteria.criteria)
}

/** Why the evidence does not let it be merged without a person; null: it does. */
export function lackOf({ evidence, needs }: Pick<ReviewFacts, 'evidence' | 'needs'>): string | null {
  return reaches(evidence.level, needs) ? null : `it is ${evidence.level}: ${evidence.why}`
}

/** With nobody to read, the checks decide what they can. */
function byReader(facts: ReviewFacts, criteria: readonly ReviewCriterion[]): ReviewChoice {
  const { reviewer, gates } = facts
  if (reviewer.is === 'engine') return { is: 'wait', for: 'reviewer' }
  const waits = waitsIn(gates)
  if (waits.length > 0) return person(waitsWords(waits))
  const open = criteria.filter(({ status }) => status !== 'met').map(({ id }) => id)
  const lacking = lackOf(facts)
  if (open.length === 0 && lacking !== null) return person(lacking)
  if (open.length === 0) return { is: 'approve', kind: 'reviewer', by: 'checks' }
  return person(`${reviewer.why}, and no check can say whether ${open.join(', ')} is met`)
}

const SHOWN_MAX = 10

/** Why nobody but a reader may merge it: what it brings, the protected paths first. */
export function waitsWords(waits: readonly Wait[]): string {
  const more = waits.length > SHOWN_MAX ? [`and ${waits.length - SHOWN_MAX} more`] : []
  return `the change brings what was not there before: ${[...waits.slice(0, SHOWN_MAX).map(waitWords), ...more].join('; ')}`
}

function person(why: string): ReviewChoice {
  return { is: 'wait', for: 'person', why }
}

function doubt(confidence: Confidence | null): string | null {
  return confidence?.level === 'low' ? `low confidence: ${confidence.why}` : null
}
