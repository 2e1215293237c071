// Whether a delivered change is exactly what the branch of a build brings.
import type { MergeGit } from '../../ports/git.ts'

interface Brought {
  /** Where the branch was. */
  readonly tip: string
  /** The parents of the merge. */
  readonly base: string
  readonly head: string
}

/** Computed from where the head left the base; null: the branch is not here, or cannot be put onto that. */
export async function isBuildChange(
  git: Pick<MergeGit, 'mergeBase' | 'carry' | 'treeOf'>,
  { tip, base, head }: Brought,
): Promise<boolean | null> {
  const from = await git.mergeBase(base, head)
  const carried = from === null ? null : await git.carry(tip, from)
  if (carried?.is !== 'carried') return null
  return (await git.treeOf(carried.commit)) === (await git.treeOf(head))
}
