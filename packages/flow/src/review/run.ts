// The daemon's part of review: the owner's standing order speaks, or the item waits for someone.
import type { ItemRef } from '@treadle/contracts/ids'
import { type AdvanceWorld, advance } from '../advance.ts'
import { decideReview } from './decide.ts'

export async function runReview(world: AdvanceWorld, ref: ItemRef): Promise<void> {
  const item = await world.store.items.find(ref)
  if (item === null || item.state !== 'in_review' || item.runId === null) return
  const run = await world.store.runs.find(item.runId)
  const choice = decideReview({
    approval: world.config().merge.approval,
    confidence: item.confidence,
    gates: run?.gates ?? [],
  })
  // One decision per delivery: the run names it, so a job that runs twice decides once.
  const order = {
    item: ref,
    eventId: `review:${item.runId}:${item.reviewCycles}`,
    fence: null,
    agentId: null,
  }
  switch (choice.is) {
    case 'approve': {
      const approval = { kind: 'standing_order', by: choice.by, at: world.now().toISOString() } as const
      await advance(world, { ...order, move: { type: 'review.approved', approval } })
      return
    }
    case 'reject':
      await advance(world, {
        ...order,
        move: { type: 'review.rejected', by: 'merge.approval=checks', feedback: choice.why },
      })
      return
    case 'wait':
      return
  }
}
