// Whether a merged change takes back exactly what an earlier merge brought.
import type { MergeGit } from '../ports/git.ts'

interface Taken {
  /** The merge that is taken back. */
  readonly merge: string
  /** The parents of the merge that takes it back. */
  readonly base: string
  readonly head: string
}

/** Computed from where the head left the base; null: the merge is not in the history of that. */
export async function isInverse(
  git: Pick<MergeGit, 'mergeBase' | 'inverseOf' | 'treeOf'>,
  { merge, base, head }: Taken,
): Promise<boolean | null> {
  const from = await git.mergeBase(base, head)
  const inverse = from === null ? null : await git.inverseOf(merge, from)
  if (inverse === null) return null
  return inverse.conflicts.length === 0 && (await git.treeOf(inverse.commit)) === (await git.treeOf(head))
}
