// May this delivered change be merged now, and on whose word?
import type { MergeApproval } from '@treadle/contracts/config/merge'
import { type DeliveryEvidence, type MergeNeeds, reaches } from '@treadle/contracts/evidence-level'
import { type GateResult, needsPerson, type Wait, waitsIn } from '@treadle/contracts/gate'
import type { ReviewCriterion } from '@treadle/contracts/review'
import type { Confidence } from '@treadle/contracts/run'
import { waitWords } from '@treadle/contracts/words/gates'
import { measuredWords } from '@treadle/contracts/words/measure'
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
  /** What was asked for when it was sent back, done or not. */
  readonly asked: readonly ReviewCriterion[]
  /** The delivery, by its cycle, that was sent back and is the same change; null if there is none. */
  readonly repeats: number | null
  readonly reviewer: Reviewer
  /** Its measure is that of a finding: it is for nothing but to put that right. */
  readonly isFinding?: boolean
  /** It lands on the branch of a build, where the whole is reviewed later. */
  readonly isTask?: boolean
}

/** What has approved a task on the branch of its build. */
export const BUILD_ORDER = 'build: green gates'

export function decideReview(facts: ReviewFacts): ReviewChoice {
  const { approval, confidence, gates, criteria } = facts
  if (facts.repeats !== null)
    return person(`it is the same change as delivery ${facts.repeats}, which was sent back`)
  // What a program can refuse is never asked of a reader.
  const found = decideChecks(gates)
  if (found.is === 'reject') return { is: 'reject' }
  if (found.is === 'unclear') return person(found.because.join('; '))
  // Green gates are enough here: what it brings is read with the whole, before it reaches the target.
  if (facts.isTask) return { is: 'approve', kind: 'standing_order', by: BUILD_ORDER }
  const waits = waitsIn(gates)
  if (isStandingOrder(approval, confidence) || (approval === 'checks' && waits.length > 0))
    return byStandingOrder(facts)
  if (approval !== 'reviewer')
    return {
      is: 'wait',
      for: 'person',
      why: doubt(confidence) ?? (waits.length > 0 ? waitsWords(waits) : null),
    }
  if (waits.some(needsPerson)) return person(waitsWords(waits))
  if (criteria.is === 'none')
    return person(
      'it has no acceptance criteria to hold it against: add some by requesting them as changes, or approve it yourself',
    )
  if (criteria.is === 'unreadable') return person(criteria.why)
  return byReader(facts, criteria.criteria)
}

/** What the owner has said once and for all, unless something is for somebody to look at. */
function byStandingOrder(facts: ReviewFacts): ReviewChoice {
  const waits = waitsIn(facts.gates)
  if (waits.length > 0) return person(waitsWords(waits))
  const lacking = lackOf(facts) ?? notPutRight(facts)
  if (lacking !== null) return person(lacking)
  const asked = facts.asked.filter(({ status }) => status !== 'met')
  if (asked.length > 0) return person(askedWords(asked))
  return { is: 'approve', kind: 'standing_order', by: 'merge.approval=checks' }
}

/** Why the evidence does not let it be merged without a person; null: it does. */
export function lackOf({ evidence, needs }: Pick<ReviewFacts, 'evidence' | 'needs'>): string | null {
  return reaches(evidence.level, needs) ? null : `it is ${evidence.level}: ${evidence.why}`
}

/** Why a change that is for a finding is not what was asked for, or is not all that it brings; null: it is. */
function notPutRight({ isFinding = false, gates }: ReviewFacts): string | null {
  if (!isFinding) return null
  const witness = gates.find(({ gate }) => gate === 'witness')
  const measure = witness !== undefined && 'evidence' in witness ? witness.evidence.measure : undefined
  if (measure?.is === 'improved' && measure.brought === undefined) return null
  const why = witness !== undefined && 'why' in witness ? witness.why : 'nobody has measured it'
  return `it is to put a finding right, and ${measure === undefined ? why : measuredWords(measure)}`
}

/** With nobody to read, the checks decide what they can. */
function byReader(facts: ReviewFacts, criteria: readonly ReviewCriterion[]): ReviewChoice {
  const { reviewer, gates } = facts
  if (reviewer.is === 'engine') return { is: 'wait', for: 'reviewer' }
  const waits = waitsIn(gates)
  if (waits.length > 0) return person(waitsWords(waits))
  const open = criteria.filter(({ status }) => status !== 'met').map(({ id }) => id)
  const lacking = lackOf(facts) ?? notPutRight(facts)
  if (open.length === 0 && lacking !== null) return person(lacking)
  if (open.length === 0) return { is: 'approve', kind: 'reviewer', by: 'checks' }
  return person(`${reviewer.why}, and no check can say whether ${open.join(', ')} is met`)
}

function askedWords(asked: readonly ReviewCriterion[]): string {
  const words = asked.slice(0, SHOWN_MAX).map(({ description }) => `"${description}"`)
  return `no check can say whether this is done, which was asked for when it was sent back: ${words.join('; ')}`
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
