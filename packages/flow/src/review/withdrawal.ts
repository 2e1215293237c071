// What ends the thought that judges a delivery, when the delivery is decided or left to somebody else.
import type { Review } from '@treadle/contracts/review'
import type { NewEvent } from '../ports/events.ts'
import type { Thoughts } from '../ports/thoughts.ts'

interface Withdrawal {
  readonly end: Parameters<Thoughts['end']>
  readonly told: NewEvent
}

/** Null: nobody is asked. */
export function withdrawal(
  { id, status, waitsFor, judgement, projectNumber, issueNumber: number }: Review,
  { by, now }: { readonly by: string; readonly now: Date },
): Withdrawal | null {
  const isAsked = status === 'in_review' || (status === 'pending' && waitsFor === 'reviewer')
  if (judgement === null || !isAsked) return null
  const { thoughtId, fence } = judgement
  return {
    end: [thoughtId, fence, { is: 'withdrawn', why: `${by} withdrew it` }, now],
    told: {
      id: `thought-end:${thoughtId}`,
      at: now,
      item: { projectNumber, number },
      agentId: null,
      runId: null,
      state: null,
      event: {
        type: 'thought.withdrawn',
        thought: thoughtId,
        kind: 'review_judge',
        subject: `review-${id}`,
        by,
      },
    },
  }
}
