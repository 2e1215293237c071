// What a claim builds on: the change that was delivered before and sent back, on top of the target as it is now.
import type { Item } from '@treadle/contracts/item'
import { NOTHING_ASKED, type Requested, type Rework } from './rework.ts'
import type { WorkWorld } from './work-world.ts'

/** Null: nothing was delivered, or it was decided to start anew. A revert is computed each time. */
export async function findRework(
  { git }: Pick<WorkWorld, 'git'>,
  item: Item,
  base: string,
): Promise<Rework | null> {
  const head = item.headCommit
  if (head === null || item.startsAnew || item.reverts !== null || item.mergeCommit !== null) return null
  const carried = await git.carry(head, base)
  if (carried === null) return null
  const isMoved = carried.from !== base
  if (carried.is === 'conflicted') {
    const { text } = await git.diff(carried.from, head)
    return { head, isMoved, how: 'conflicted', commit: null, conflicts: carried.files, diff: text }
  }
  const { files, text } = await git.diff(base, carried.commit)
  // What has come to the target by another way is nothing to build on.
  if (files.length === 0) return null
  return { head, isMoved, how: 'carried', commit: carried.commit, conflicts: [], diff: text }
}

/** What the next review will look for; to start anew takes back nothing of it. */
export async function findRequested(
  { requested }: Pick<WorkWorld, 'requested'>,
  item: Item,
): Promise<Requested> {
  const { headCommit, reverts, mergeCommit, sentBackBy } = item
  if (headCommit === null || reverts !== null || mergeCommit !== null) return NOTHING_ASKED
  const isReviews = sentBackBy === 'review' || sentBackBy === 'person' || sentBackBy === null
  return (isReviews ? await requested?.(item) : undefined) ?? NOTHING_ASKED
}
