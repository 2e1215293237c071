import type { Review } from '@treadle/contracts/review'
import type { reviewRoutes } from '@treadle/contracts/routes/reviews'
import { modelsOf } from '@treadle/flow/merge/receipt'
import { findDeliveryChange } from '@treadle/flow/review/delivery-change.run'
import { enqueueReview } from '@treadle/flow/review/enqueue.run'
import { baseOf } from '@treadle/flow/review/examine.run'
import { onTargetOf } from '@treadle/flow/work/item-target'
import { runClaimThought } from '@treadle/flow/work/thought.run'
import { thinking } from '../jobs/thinking.ts'
import type { World } from '../world.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'
import { refusedClaim } from './thoughts.handlers.ts'

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

  async reviewQueue(world, { query }) {
    return { items: await world.store.reviews.queue(query) }
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
    const base = head === null ? null : await baseOf(onTargetOf(world, item), head, run)
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
    const review = await find(world, params.id)
    const { judgement } = review
    if (judgement === null) throw refusal(review)
    const claimed = await runClaimThought(thinking(world), { id: judgement.thoughtId, ...body })
    if (claimed.is === 'missing') throw refusal(review)
    if (claimed.is === 'refused') throw refusedClaim(claimed)
    return { ...(await find(world, params.id)), thought: claimed.thought }
  },
} satisfies HandlersOf<typeof reviewRoutes>

async function find(world: World, id: number): Promise<Review> {
  const review = await world.store.reviews.find(id)
  if (review === null) throw missing(id)
  return review
}

/** Nobody is asked to judge it. */
function refusal({ id, status, waitsFor }: Review) {
  const because =
    status === 'pending' ? `waits for ${waitsFor === 'person' ? 'a person' : 'its checks'}` : `is ${status}`
  return new ProblemError(409, {
    code: 'refused',
    message: `Review ${id} ${because}.`,
    hint: 'Ask for another: GET /api/reviews/queue?waitsFor=reviewer',
    details: { status },
  })
}

function missing(id: number): ProblemError {
  return new ProblemError(404, {
    code: 'not_found',
    message: `There is no review ${id}.`,
    hint: 'treadle review lists those that wait.',
  })
}
