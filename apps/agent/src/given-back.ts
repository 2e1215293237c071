// Work of an item that was given back because a provider was in trouble: kept, and gone on with by whoever claims it next.
import type { Item } from '@treadle/contracts/item'
import type { WorktreeGit } from '@treadle/flow/ports/git'

/** Named by what it started from, the target and the delivery on it: on top of others it would take work back. */
const givenBackRef = ({ projectNumber, number, headCommit }: Item, base: string) =>
  `refs/treadle/given-back/${projectNumber}.${number}/${base}-${headCommit ?? 'new'}`

export interface GivenBack {
  readonly item: Item
  readonly base: string
  readonly worktree: string
}

export async function keepWork(git: WorktreeGit, { item, base, worktree }: GivenBack): Promise<void> {
  await git.checkpoint(worktree, givenBackRef(item, base), `Given back unfinished: #${item.number}`)
}

/** False: nothing was left, something was delivered since, or it is to be begun anew. */
export async function takeUpWork(
  git: WorktreeGit,
  { item, base, worktree }: GivenBack,
  keepRef: string,
): Promise<boolean> {
  const kept = item.startsAnew ? null : await git.commitOf(givenBackRef(item, base))
  if (kept === null) return false
  await git.restore(worktree, kept, keepRef)
  return true
}
