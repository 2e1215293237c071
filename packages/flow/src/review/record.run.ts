// How the record of a review follows the moves of its item; written in the transaction of the move.
import type { ItemMove } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { Store } from '../ports/store.ts'
import { readCriteria } from './criteria.ts'
import { disagreementText } from './disagreement.ts'
import { asFeedback } from './feedback.ts'
import { judgeStandards, RATE_WINDOW } from './standards.ts'

interface Moved {
  readonly item: ItemRef
  readonly eventId: EventId
  readonly agentId: AgentId | null
  readonly move: ItemMove
}
interface Facts {
  readonly before: Item
  readonly after: Item
  readonly now: Date
  readonly cyclesMax: number
  readonly rejectionPercent: number
}

const COMMENT_MAX = 16_384
const RUNS_MAX = 50

export async function settleReview(store: Store, moved: Moved, facts: Facts): Promise<void> {
  const { before, after, now } = facts
  if (after.state === 'in_review' && before.state !== 'in_review') {
    await enqueueReview(store, after, { now, agentId: moved.agentId ?? before.claimedByAgentId })
    return
  }
  if (before.state === 'escalated' && moved.move.type === 'review.approved') {
    const refused = await store.reviews.latest(moved.item)
    const by = moved.move.approval.by
    if (refused !== null)
      await store.reviews.patch(refused.id, { ...ended(by), status: 'approved', decidedAt: now })
    return
  }
  if (before.state !== 'in_review' || after.state === 'in_review') return
  const review = await store.reviews.latest(moved.item)
  if (moved.move.type === 'review.rejected') return rejected(store, moved, facts, review)
  if (review === null || isOver(review)) return
  const approval = moved.move.type === 'review.approved' ? moved.move.approval : null
  await store.reviews.patch(
    review.id,
    approval === null
      ? {
          ...ended(after.reason ?? moved.move.type),
          status: 'rejected',
          feedback: after.reason,
          decidedAt: now,
        }
      : { ...ended(approval.by), status: 'approved', decidedAt: now },
  )
}

/** The review of the delivery that the item waits with; null if there is nothing delivered. */
export async function enqueueReview(
  store: Store,
  item: Item,
  { now, agentId }: { now: Date; agentId: AgentId | null },
): Promise<Review | null> {
  const { branch, headCommit: head, runId, projectNumber, number } = item
  if (branch === null || head === null || runId === null) return null
  const by = agentId ?? (await store.runs.find(runId))?.agentId ?? null
  if (by === null) return null
  const read = readCriteria(item)
  const criteria = read.is === 'found' ? read.criteria : []
  const cycle = item.reviewCycles + 1
  return store.reviews.enqueue(
    { item: { projectNumber, number }, branch, head, runId, cycle, agentId: by, criteria },
    now,
  )
}

async function rejected(
  store: Store,
  { item, eventId, move }: Moved,
  { after, now, cyclesMax, rejectionPercent }: Facts,
  review: Review | null,
): Promise<void> {
  if (move.type !== 'review.rejected') return
  const feedback = asFeedback(move.feedback, { cycle: after.reviewCycles, cyclesMax })
  if (review !== null && !isOver(review))
    await store.reviews.patch(review.id, { ...ended(move.by), status: 'rejected', feedback, decidedAt: now })
  const told = { at: now, item, agentId: null, runId: after.runId, state: after.state }
  const comment = (name: string, by: string, text: string) =>
    store.events.append({
      ...told,
      id: `${eventId}:${name}`,
      event: { type: 'item.commented', by, text: text.slice(0, COMMENT_MAX) },
    })
  await comment('feedback', move.by, feedback)
  const standards = judgeStandards(await decided(store), rejectionPercent)
  if (standards.is === 'crossed')
    await store.events.append({
      ...told,
      id: `${eventId}:standards`,
      event: { type: 'owner.notified', about: 'review', text: standards.text },
    })
  if (after.state !== 'escalated') return
  await comment('escalation', 'treadle', await bothViews(store, item, after))
  await store.events.append({
    ...told,
    id: `${eventId}:notice`,
    event: {
      type: 'owner.notified',
      about: 'review',
      text: `#${item.number} was sent back ${after.reviewCycles} times and is yours now; both views are in its comments`,
    },
  })
}

/** The latest decisions, newest first. */
async function decided(store: Store): Promise<Review[]> {
  const limit = RATE_WINDOW + 1
  const approved = await store.reviews.list({ status: 'approved', limit })
  const refused = await store.reviews.list({ status: 'rejected', limit })
  return [...approved, ...refused].toSorted((one, other) => other.id - one.id).slice(0, limit)
}

async function bothViews(store: Store, item: ItemRef, after: Item): Promise<string> {
  const found = await store.reviews.list({ status: 'rejected', item, limit: after.reviewCycles })
  return disagreementText({
    item: after,
    reviews: found.toReversed(),
    runs: await store.runs.ofItem(item, RUNS_MAX),
  })
}

function ended(decidedBy: string) {
  return { waitsFor: null, why: null, decidedBy: decidedBy.slice(0, 500) }
}

function isOver({ status }: Review): boolean {
  return status === 'approved' || status === 'rejected'
}
