// The daemon's part of review: the checks, then the owner's standing order, or somebody has to say.
import type { ItemMove } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item, RestsOn } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { otherTasks } from '../work/build-items.ts'
import { decideChecks } from './checks.ts'
import { judgeByChecks, judgedIn } from './criteria.ts'
import { decideReview, type ReviewChoice } from './decide.ts'
import { enqueueReview } from './enqueue.run.ts'
import { judgeEvidence } from './evidence-level.ts'
import type { Examined, ExaminedItem } from './examine.run.ts'
import { needsReviewJob, reviewFacts } from './facts.ts'
import { changesForChecks, feedbackText, issuesOfChecks } from './feedback.ts'
import { askJudgement, stopAsking } from './judgement.run.ts'
import { CHECKS } from './new-review.ts'

export interface ReviewWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'runs' | 'reviews' | 'thoughts'>
  /** Runs the checks on what was delivered. */
  readonly examine: (delivered: ExaminedItem) => Promise<Examined>
  /** What keeps the crew's own code from deciding. */
  readonly restsOn: () => RestsOn
  readonly uuid: () => string
}

export async function runReview(world: ReviewWorld, ref: ItemRef): Promise<void> {
  const item = await world.store.items.find(ref)
  if (item === null || item.state !== 'in_review' || item.runId === null) return
  // Made with the delivery; what was delivered before there were records gets one here.
  const found = await enqueueReview(world.store, item, { now: world.now(), agentId: null })
  if (found === null || !needsReviewJob(item, found, world.config())) return
  const review = found.checkedAt === null ? await check(world, item, found) : found
  const choice = decideReview(reviewFacts(item, review, world.config()))
  await act(world, { item, review }, choice)
}

/** As many send-backs of one item are looked through for the same change. */
const REFUSED_MAX = 20

async function check(world: ReviewWorld, item: Item, review: Review): Promise<Review> {
  const run = item.runId === null ? null : await world.store.runs.find(item.runId)
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const refused = await world.store.reviews.list({ status: 'rejected', item: ref, limit: REFUSED_MAX })
  const others = otherTasks(item, item.build === null ? [] : await world.store.items.ofBuild(item.build))
  const examined = await world.examine({ item, run, refused, others })
  // A commit that is not here cannot be merged from here either; what its builder found is all there is.
  const checks = [...(examined.is === 'examined' ? examined.checks : (run?.gates ?? []))]
  const checkedTree = examined.is === 'examined' ? examined.tree : null
  const repeats = examined.is === 'examined' ? examined.repeats : null
  const criteria = judgeByChecks(review.criteria, checks)
  const evidence = judgeEvidence(checks)
  const checkedAt = world.now()
  await world.store.tx(async () => {
    // The item first, as everybody else does who needs both.
    await world.advance({
      item: ref,
      eventId: `checked:${review.id}`,
      fence: null,
      agentId: null,
      move: { type: 'review.checked', evidence, judged: judgedIn(item.acceptance, criteria) },
    })
    const found = { checks, checkedTree, evidence, criteria, repeats, checkedAt }
    await world.store.reviews.patch(review.id, found)
  })
  return { ...review, checks, checkedTree, evidence, criteria, repeats, checkedAt: checkedAt.toISOString() }
}

interface Delivered {
  readonly item: Item
  readonly review: Review
}

function act(world: ReviewWorld, delivered: Delivered, choice: ReviewChoice): Promise<void> {
  const { store } = world
  const { item, review } = delivered
  return store.tx(async () => {
    await store.items.lock({ projectNumber: item.projectNumber, number: item.number })
    const now = await store.reviews.lock(review.id)
    // Somebody has taken it, or decided it, meanwhile.
    if (now?.status !== 'pending') return
    switch (choice.is) {
      case 'approve':
        return approve(world, delivered, choice)
      case 'reject': {
        const feedback = feedbackOf(world, delivered)
        // What the checks refuse they look at again by themselves: nothing to tick off.
        return say(world, item, { type: 'review.rejected', by: CHECKS, feedback, changes: [] })
      }
      case 'wait':
        return leave(world, delivered, choice)
    }
  })
}

/** One decision per delivery: the run names it, so a job that runs twice decides once. */
async function say(world: ReviewWorld, item: Item, move: ItemMove): Promise<void> {
  await world.advance({
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: `review:${item.runId}:${item.reviewCycles}`,
    fence: null,
    agentId: null,
    move,
  })
}

async function approve(
  world: ReviewWorld,
  { item, review }: Delivered,
  { kind, by }: Extract<ReviewChoice, { is: 'approve' }>,
): Promise<void> {
  const warnings = decideChecks(review.checks).warnings.join('\n')
  await world.store.reviews.patch(review.id, { feedback: warnings === '' ? null : warnings })
  const approval = { kind, by, at: world.now().toISOString(), restsOn: world.restsOn() }
  await say(world, item, { type: 'review.approved', approval })
}

async function leave(
  world: ReviewWorld,
  { item, review }: Delivered,
  choice: Extract<ReviewChoice, { is: 'wait' }>,
): Promise<void> {
  const why = choice.for === 'person' ? choice.why : null
  const asked =
    choice.for === 'reviewer' ? await askJudgement(world, review) : await stopAsking(world, review)
  await world.store.reviews.patch(review.id, { waitsFor: choice.for, why, ...asked })
  const isNews = world.config().merge.approval === 'reviewer' || !item.needsHuman
  if (why !== null && isNews) await refer(world, { item, review, name: 'referred' }, why)
}

function feedbackOf(world: ReviewWorld, { item, review: { checks } }: Delivered): string {
  return feedbackText({
    cycle: item.reviewCycles + 1,
    cyclesMax: world.config().limits.reviewCycles,
    issues: issuesOfChecks(checks),
    changes: changesForChecks(checks),
    warnings: decideChecks(checks).warnings,
  })
}

interface Referral extends Delivered {
  /** What it comes of: each is told once for a judgement. */
  readonly name: 'referred' | 'answered' | 'overdue'
}

/** Inside a transaction: the item needs a person, who is told once. */
export async function refer(
  world: MovingWorld & { readonly store: Pick<Store, 'events'> },
  { item, review, name }: Referral,
  why: string,
): Promise<void> {
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const eventId = `${name}:${review.id}:${review.judgement?.thoughtId ?? 0}`
  const move = { type: 'review.referred', why: why.slice(0, 4_000) } as const
  // That it waits for long is no better reason than the one for which it waits for a person already.
  if (name !== 'overdue' || !item.needsHuman)
    await world.advance({ item: ref, eventId, fence: null, agentId: null, move })
  await world.store.events.append({
    id: `${eventId}:notice`,
    at: world.now(),
    item: ref,
    agentId: null,
    runId: item.runId,
    state: 'in_review',
    event: {
      type: 'owner.notified',
      about: 'review',
      text: `${why}. Look at it (treadle review show ${item.number}), then approve or reject it.`.slice(
        0,
        4_000,
      ),
    },
  })
}
