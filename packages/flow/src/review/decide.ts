// May this delivered change be merged now, and on whose word?
import type { MergeApproval } from '@treadle/contracts/config'
import { type GateResult, gatesGreen } from '@treadle/contracts/gate'
import type { Confidence } from '@treadle/contracts/run'

export type ReviewChoice =
  | { readonly is: 'approve'; readonly by: string }
  | { readonly is: 'wait'; readonly for: 'human' | 'reviewer' }
  | { readonly is: 'reject'; readonly why: string }

export interface ReviewFacts {
  readonly approval: MergeApproval
  readonly confidence: Confidence | null
  readonly gates: readonly GateResult[]
}

/** The owner's standing order covers what the gates can judge; a change its own engine doubts needs somebody who looks. */
export function isStandingOrder(approval: MergeApproval, confidence: Confidence | null): boolean {
  return approval === 'checks' && confidence?.level !== 'low'
}

export function decideReview({ approval, confidence, gates }: ReviewFacts): ReviewChoice {
  if (approval === 'reviewer') return { is: 'wait', for: 'reviewer' }
  if (!isStandingOrder(approval, confidence)) return { is: 'wait', for: 'human' }
  return gatesGreen(gates)
    ? { is: 'approve', by: 'merge.approval=checks' }
    : { is: 'reject', why: 'not every gate is green' }
}
