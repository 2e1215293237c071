// Reviews that wait for longer than a review may take: told once. One that is read for too long ends with its thought.
import type { Review } from '@treadle/contracts/review'
import { duration } from '@treadle/contracts/words/time'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { tellEscalated } from './judge.run.ts'
import { refer } from './review.run.ts'

export interface OverdueWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'reviews'>
}

const BATCH = 100

export async function runOverdue(world: OverdueWorld): Promise<number> {
  const { store } = world
  const before = new Date(world.now().getTime() - world.config().limits.reviewWaitMs)
  let told = 0
  for (const review of await store.reviews.overdue(before, BATCH))
    if (await escalate(world, review)) told += 1
  return told
}

function escalate(world: OverdueWorld, seen: Review): Promise<boolean> {
  const { store } = world
  return store.tx(async () => {
    const item = await store.items.lock({ projectNumber: seen.projectNumber, number: seen.issueNumber })
    const review = await store.reviews.lock(seen.id)
    // Somebody was faster.
    if (item === null || review?.status !== 'pending' || review.escalatedAt !== null) return false
    const why = `nobody has decided the review for more than ${duration(world.config().limits.reviewWaitMs)}`
    await store.reviews.patch(review.id, { escalatedAt: world.now() })
    await tellEscalated(world, { item, review }, { id: 'pending', why })
    // A reviewer may still come for it; the owner knows of it from now on.
    await refer(world, { item, review, name: 'overdue' }, why)
    return true
  })
}
