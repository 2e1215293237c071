// Whose word a merge needs: the owner's standing order, a reviewer, or a person.
import type { Config } from '@treadle/contracts/config'
import { readsWords } from '@treadle/contracts/config/engines'
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Confidence } from '@treadle/contracts/run'

export type Reviewer =
  | { readonly is: 'engine'; readonly name: string }
  | { readonly is: 'none'; readonly why: string }

/** The owner's standing order covers what the gates can judge; a change its own engine doubts needs somebody who looks. */
export function isStandingOrder(approval: MergeApproval, confidence: Confidence | null): boolean {
  return approval === 'checks' && confidence?.level !== 'low'
}

/** Who reads deliveries, where the owner has left that to a reviewer. */
export function reviewerIn({ merge, engines }: Pick<Config, 'merge' | 'engines'>): Reviewer {
  if (merge.approval !== 'reviewer')
    return { is: 'none', why: `merge.approval is ${merge.approval}, so nothing is left to a reviewer` }
  const name = engines.reviewer
  if (name === null) return { is: 'none', why: 'engines.reviewer is not set' }
  if (!readsWords(name))
    return {
      is: 'none',
      why: `engines.reviewer is ${name}, which searches for edits and cannot read a change`,
    }
  return { is: 'engine', name }
}
