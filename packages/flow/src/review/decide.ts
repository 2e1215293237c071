// May this delivered change be merged now, and on whose word?
import type { MergeApproval } from '@treadle/contracts/config'
import { type GateResult, gatesGreen } from '@treadle/contracts/gate'

export type ReviewChoice =
  | { readonly is: 'approve'; readonly by: string }
  | { readonly is: 'wait'; readonly for: 'human' | 'reviewer' }
  | { readonly is: 'reject'; readonly why: string }

export function decideReview(facts: { approval: MergeApproval; gates: readonly GateResult[] }): ReviewChoice {
  switch (facts.approval) {
    case 'checks':
      return gatesGreen(facts.gates)
        ? { is: 'approve', by: 'merge.approval=checks' }
        : { is: 'reject', why: 'not every gate is green' }
    case 'reviewer':
      return { is: 'wait', for: 'reviewer' }
    case 'human':
    case 'never':
      return { is: 'wait', for: 'human' }
  }
}
