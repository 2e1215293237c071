// Work of an item that was given back because a provider was in trouble: kept, and gone on with by whoever claims it next.
import type { Item } from '@treadle/contracts/item'
import type { WorktreeGit } from '@treadle/flow/ports/git'

/** Named by what it started from, the target and the delivery on it: on top of others it would take work back. */
const givenBackRef = ({ projectNumber, number, headCommit, startsAnew }: Item, base: string) =>
  `refs/treadle/given-back/${projectNumber}.${number}/${base}-${headCommit ?? 'new'}${startsAnew ? '-anew' : ''}`

export interface GivenBack {
  readonly item: Item
  readonly base: string
  readonly worktree: string
}

export async function keepWork(git: WorktreeGit, { item, base, worktree }: GivenBack): Promise<void> {
  await git.checkpoint(worktree, givenBackRef(item, base), `Given back unfinished: #${item.number}`)
}

interface TakeUp {
  /** Where what is there now is kept. */
  readonly keepRef: string
  /** Where it is found again by whoever is started in the middle of this run. */
  readonly takenUpRef: string
  /** Whether the run right before this one was given back; asked only where that matters. */
  readonly isGivenBack: () => Promise<boolean>
}

/** False: nothing was left, something was delivered since, or it was decided since to start anew. */
export async function takeUpWork(
  git: WorktreeGit,
  { item, base, worktree }: GivenBack,
  { keepRef, takenUpRef, isGivenBack }: TakeUp,
): Promise<boolean> {
  const kept = await git.commitOf(givenBackRef(item, base))
  if (kept === null || (item.startsAnew && !(await isGivenBack()))) return false
  await git.restore(worktree, kept, keepRef)
  await git.checkpoint(worktree, takenUpRef, `Taken up: #${item.number}`)
  return true
}
