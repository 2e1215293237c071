// Is a delivery the change that was sent back before?
import type { Review } from '@treadle/contracts/review'

export interface PatchReader {
  /** The unified diff of a delivered commit against where it began; null if it is not there any more. */
  readonly patchOf: (head: string) => Promise<string | null>
}

/** The cycle of the earlier delivery that is the same change, the latest first; null if there is none. */
export async function repeatedIn(
  { patchOf }: PatchReader,
  head: string,
  refused: readonly Pick<Review, 'headCommit' | 'cycle'>[],
): Promise<number | null> {
  if (refused.length === 0) return null
  const patch = withoutPlaces(await patchOf(head))
  if (patch === null) return null
  for (const { headCommit, cycle } of refused)
    if (withoutPlaces(await patchOf(headCommit)) === patch) return cycle
  return null
}

/** Where a hunk stands, and which blobs it leads between, change with what others merge meanwhile. */
function withoutPlaces(patch: string | null): string | null {
  if (patch === null || patch.trim() === '') return null
  const lines = patch.split('\n').filter((line) => !line.startsWith('index '))
  return lines.map((line) => (line.startsWith('@@ ') ? '@@' : line)).join('\n')
}
