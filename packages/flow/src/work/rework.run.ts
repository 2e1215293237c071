// What a claim builds on: the change that was delivered before and sent back, on top of the target as it is now.
import type { Item } from '@treadle/contracts/item'
import type { Rework } from './rework.ts'
import type { WorkWorld } from './work-world.ts'

/** Null: nothing was delivered, or it was decided to start anew. A revert is computed each time. */
export async function findRework(
  { git, requested }: Pick<WorkWorld, 'git' | 'requested'>,
  item: Item,
  base: string,
): Promise<Rework | null> {
  const head = item.headCommit
  if (head === null || item.startsAnew || item.reverts !== null || item.mergeCommit !== null) return null
  const carried = await git.carry(head, base)
  if (carried === null) return null
  const isMoved = carried.from !== base
  const isReviews = item.sentBackBy === 'review' || item.sentBackBy === null
  const asked = isReviews ? await requested?.(item) : undefined
  const told = { head, isMoved, ...(asked ?? { requested: [], sentBy: null }) }
  if (carried.is === 'conflicted') {
    const { text } = await git.diff(carried.from, head)
    return { ...told, how: 'conflicted', commit: null, conflicts: carried.files, diff: text }
  }
  const { files, text } = await git.diff(base, carried.commit)
  // What has come to the target by another way is nothing to build on.
  if (files.length === 0) return null
  return { ...told, how: 'carried', commit: carried.commit, conflicts: [], diff: text }
}
