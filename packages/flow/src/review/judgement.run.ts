// The thought that judges a delivery: asked for when its review waits for a reviewer, withdrawn when it does so no more.
import type { Review } from '@treadle/contracts/review'
import type { ReviewPatch } from '../ports/reviews.ts'
import { reviewerIn } from '../work/approval.ts'
import { type AskWorld, askThought } from '../work/thought.run.ts'
import { withdrawal } from './withdrawal.ts'

export interface JudgementWorld extends AskWorld {
  readonly uuid: () => string
}

type Wanted = Pick<ReviewPatch, 'thoughtId'>

/** Inside a transaction that has locked item and review. What is asked for already is not asked for again. */
export async function askJudgement(world: JudgementWorld, review: Review): Promise<Wanted> {
  const reviewer = reviewerIn(world.config())
  if (reviewer.is === 'none') return {}
  if (review.waitsFor === 'reviewer' && review.judgement?.engine === reviewer.name) return {}
  await stopAsking(world, review)
  const { projectNumber, issueNumber: number, runId, cycle, headCommit } = review
  const id = world.uuid()
  await askThought(world, {
    id,
    kind: 'review_judge',
    subject: `review-${review.id}`,
    work: { item: { projectNumber, number }, runId },
    engine: reviewer.name,
    use: 'review',
    system: '',
    // The words of the owner's template, the criteria and the change are read by whoever has it.
    prompt: `Judge delivery ${cycle} of #${number}, commit ${headCommit}, by its acceptance criteria.`,
    schema: null,
  })
  return { thoughtId: id }
}

/** Inside a transaction: nobody has to judge it any more. */
export async function stopAsking(world: JudgementWorld, review: Review): Promise<Wanted> {
  const over = withdrawal(review, { by: 'treadle', now: world.now() })
  if (over === null) return {}
  if (await world.store.thoughts.end(...over.end)) await world.store.events.append(over.told)
  return { thoughtId: null }
}
