import type { Review } from '@treadle/contracts/review'
import type { reviewRoutes } from '@treadle/contracts/routes/reviews'
import { modelsOf } from '@treadle/flow/merge/receipt'
import { findDeliveryChange } from '@treadle/flow/review/delivery-change.run'
import { enqueueReview } from '@treadle/flow/review/enqueue.run'
import { baseOf } from '@treadle/flow/review/examine.run'
import { runAnswer } from '@treadle/flow/review/judge.run'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

const DIFF_CHARS_MAX = 1_000_000
const EARLIER_MAX = 10

export const reviewHandlers = {
  async enqueueReview(world, { body }) {
    const { store, now } = world
    const { projectNumber, issueNumber: number, branchName, completedByAgentId } = body
    const item = await store.items.find({ projectNumber, number })
    if (item === null)
      throw new ProblemError(404, {
        code: 'not_found',
        message: `There is no item #${number} in project ${projectNumber}.`,
        hint: 'treadle list shows what there is.',
      })
    const run = item.runId === null ? null : await store.runs.find(item.runId)
    if (item.state !== 'in_review' || item.branch !== branchName || run?.agentId !== completedByAgentId)
      throw new ProblemError(409, {
        code: 'refused',
        message: `#${number} is ${item.state}, on ${item.branch ?? 'no branch'} by ${run?.agentId ?? 'nobody'}.`,
        hint: 'A review is about what was delivered: report verify.passed first.',
      })
    const review = await enqueueReview(store, item, { now: now(), agentId: completedByAgentId })
    if (review === null) throw new Error(`#${number} is in review without a delivery`)
    await store.jobs.send('review', { item: { projectNumber, number } })
    return review
  },

  async reviewQueue(world, { query, hungUp }) {
    const gone = hungUp()
    const { store, reviewerWaitList, stopping } = world
    const until = performance.now() + query.waitMs
    for (;;) {
      const called = reviewerWaitList.ticket()
      const items = await store.reviews.queue(query)
      const leftMs = until - performance.now()
      if (items.length > 0 || leftMs <= 0 || stopping.aborted || gone.aborted) return { items }
      await called(leftMs, gone)
    }
  },

  async listReviews(world, { query }) {
    const { status, projectNumber, issueNumber: number, limit } = query
    return { items: await world.store.reviews.list({ status, item: { projectNumber, number }, limit }) }
  },

  async showReview(world, { params }) {
    const { store, git, source } = world
    const review = await find(world, params.id)
    const ref = { projectNumber: review.projectNumber, number: review.issueNumber }
    const item = await store.items.find(ref)
    if (item === null) throw missing(params.id)
    const head = await git.commitOf(review.headCommit)
    const run = await store.runs.find(review.runId)
    const base = head === null ? null : await baseOf(world, head, run)
    const { files, text } =
      head === null || base === null ? { files: [], text: '' } : await source.diff(base, head)
    const before = await store.reviews.list({ status: 'rejected', item: ref, limit: EARLIER_MAX })
    return {
      review,
      item,
      base,
      changedFiles: files,
      diff: text.slice(0, DIFF_CHARS_MAX),
      diffCut: text.length > DIFF_CHARS_MAX,
      authorModels: modelsOf(run),
      earlier: before
        .filter(({ id }) => id < review.id)
        .toReversed()
        .flatMap(({ feedback }) => feedback ?? []),
    }
  },

  async showChange(world, { params, query }) {
    const review = await find(world, params.id)
    const change = await findDeliveryChange(world, review, query.since ?? null)
    if (change !== null) return change
    throw new ProblemError(404, {
      code: 'not_found',
      message: `#${review.issueNumber} has no delivery ${query.since} before delivery ${review.cycle}.`,
      hint: `See its deliveries: treadle review show ${review.issueNumber}`,
    })
  },

  async claimReview(world, { params, body }) {
    const { store, now } = world
    const taken = await store.tx(async () => {
      const review = await store.reviews.claim(params.id, body.agentId, now())
      if (review === null) return null
      await store.events.append({
        id: `review-claim:${review.id}:${review.fence}`,
        at: now(),
        item: { projectNumber: review.projectNumber, number: review.issueNumber },
        agentId: body.agentId,
        runId: review.runId,
        state: 'in_review',
        event: { type: 'review.claimed', reviewId: review.id, cycle: review.cycle },
      })
      return review
    })
    if (taken !== null) return taken
    throw refusal(await find(world, params.id), body.agentId)
  },

  async answerReview(world, { params, body }) {
    const judged = await runAnswer(world, { id: params.id, ...body })
    if (judged.is === 'missing') throw missing(params.id)
    if (judged.is !== 'fenced') return { is: judged.is, review: judged.review }
    throw new ProblemError(409, {
      code: 'fenced',
      message: `The claim with fence ${body.fence} has ended; the review is ${judged.review.status}.`,
      hint: 'Stop reviewing it and ask for another: GET /api/reviews/queue',
      details: { fence: judged.review.fence, holder: judged.review.claimedByAgentId },
    })
  },
} satisfies HandlersOf<typeof reviewRoutes>

async function find(world: World, id: number): Promise<Review> {
  const review = await world.store.reviews.find(id)
  if (review === null) throw missing(id)
  return review
}

function refusal({ id, status, waitsFor, claimedByAgentId, completedByAgentId }: Review, agentId: string) {
  const because = ((): string => {
    if (status === 'in_review') return `is held by ${claimedByAgentId}`
    if (status !== 'pending') return `is ${status}`
    if (completedByAgentId === agentId) return 'is about your own work'
    return `waits for ${waitsFor === 'person' ? 'a person' : 'its checks'}`
  })()
  return new ProblemError(409, {
    code: status === 'in_review' ? 'already_claimed' : 'refused',
    message: `Review ${id} ${because}.`,
    hint: 'Ask for another: GET /api/reviews/queue?waitsFor=reviewer',
    details: { holder: claimedByAgentId, status },
  })
}

function missing(id: number): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no review ${id}.`,
    hint: 'treadle review lists those that wait.',
  })
}
