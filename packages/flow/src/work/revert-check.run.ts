// How much of a delivery is exactly the inverse of the merge that its item takes back.
import type { Item } from '@treadle/contracts/item'
import type { RevertCheck } from '../ports/gates.ts'
import type { Inverse } from '../ports/git.ts'

interface RevertFacts {
  /** The commit that the work started from. */
  readonly base: string
  readonly changed: readonly string[]
  inverseOf(merge: string, onto: string): Promise<Inverse | null>
  /** The files in which the delivery differs from a commit. */
  differsFrom(commit: string): Promise<readonly string[]>
}

/** Null: the item takes nothing back, or the merge is not in the history of the base. */
export async function checkRevert(
  { reverts }: Pick<Item, 'reverts'>,
  { base, changed, inverseOf, differsFrom }: RevertFacts,
): Promise<RevertCheck | null> {
  const inverse = reverts === null ? null : await inverseOf(reverts.commit, base)
  if (reverts === null || inverse === null) return null
  const others = new Set([...(await differsFrom(inverse.commit)), ...inverse.conflicts])
  return {
    number: reverts.number,
    files: changed.filter((file) => !others.has(file)),
    others: [...others].sort(),
  }
}
