// What a receipt says of the merge that it takes back, computed again.
import type { Receipt } from '@treadle/contracts/receipt'
import { isInverse } from '@treadle/flow/merge/is-inverse.run'
import { mergeBase } from '@treadle/git/ancestry'
import type { Git } from '@treadle/git/git'
import { inverseOf } from '@treadle/git/inverse'
import { treeOf } from '@treadle/git/notes'
import type { Check } from './compare.ts'

const what = 'reverts'

/** Nothing, if the merge takes none back. */
export async function checkReverts(git: Git, { predicate }: Receipt): Promise<Check[]> {
  const { reverts, base, head } = predicate
  if (reverts === undefined) return []
  const name = `#${reverts.number} (${reverts.commit.slice(0, 12)})`
  const exact = await isInverse(
    {
      mergeBase: (one, other) => mergeBase(git, one, other),
      inverseOf: (merge, onto) => inverseOf(git, merge, onto),
      treeOf: (commit) => treeOf(git, commit),
    },
    { merge: reverts.commit, base: base.commit, head: head.commit },
  )
  if (exact === null) return [{ what, is: 'missing', words: `${name} is not in the history here` }]
  if (exact === reverts.exact)
    return [{ what, is: 'same', words: `${name}, ${exact ? 'exactly' : 'but not exactly'}` }]
  const stated = reverts.exact ? 'exactly' : 'not exactly'
  return [{ what, is: 'differs', words: `stated was that it takes back ${name} ${stated}` }]
}
