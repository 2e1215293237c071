// Work of an item that was given back because a provider was in trouble: kept, and gone on with by whoever claims it next.
import type { Item } from '@treadle/contracts/item'
import type { WorktreeGit } from '@treadle/flow/ports/git'

/** Named by the commit it started from: on top of another one it would take the work of others back. */
const givenBackRef = ({ projectNumber, number }: Item, base: string) =>
  `refs/treadle/given-back/${projectNumber}.${number}/${base}`

export interface GivenBack {
  readonly item: Item
  readonly base: string
  readonly worktree: string
}

export async function keepWork(git: WorktreeGit, { item, base, worktree }: GivenBack): Promise<void> {
  await git.checkpoint(worktree, givenBackRef(item, base), `Given back unfinished: #${item.number}`)
}

/** False: nothing was left, or it was sent back since, and its next attempt is another one. */
export async function takeUpWork(
  git: WorktreeGit,
  { item, base, worktree }: GivenBack,
  keepRef: string,
): Promise<boolean> {
  const kept = item.reviewCycles > 0 ? null : await git.commitOf(givenBackRef(item, base))
  if (kept === null) return false
  await git.restore(worktree, kept, keepRef)
  return true
}
