// The branch of a build, kept while it is built: whoever takes it away loses nothing that has landed on it.
import type { Build } from '@treadle/contracts/build'
import type { Item } from '@treadle/contracts/item'
import { isTask } from '../../work/build-items.ts'
import type { BuildWorld } from './build-world.ts'

type BranchGit = Pick<BuildWorld['git'], 'commitOf' | 'makeBranch' | 'mergeBase'>

/** Makes it anew where it was, if it is gone; null: it is there. */
export async function runKeepBranch(
  git: BranchGit,
  { branch, base }: Pick<Build, 'branch' | 'base'>,
  items: readonly Item[],
): Promise<string | null> {
  if ((await git.commitOf(`refs/heads/${branch}`)) !== null) return null
  let tip = base
  for (const item of items) if (isTask(item)) tip = await laterOf(git, tip, item.mergeCommit)
  if (tip === null) return `there is no commit to make its branch ${branch} from`
  if ((await git.commitOf(tip)) === null)
    return `its branch ${branch} is gone, and the last commit of it, ${tip.slice(0, 12)}, is not in this repository`
  const made = await git.makeBranch(branch, tip)
  return made.is === 'refused' ? `its branch ${branch} is gone and cannot be made: ${made.why}` : null
}

/** Whatever lands on a branch follows on what had landed before. */
async function laterOf(git: BranchGit, one: string | null, other: string | null): Promise<string | null> {
  if (one === null || other === null) return one ?? other
  // What is not here any more is the last one, as far as anybody can tell.
  if ((await git.commitOf(one)) === null || (await git.commitOf(other)) === null) return other
  return (await git.mergeBase(one, other)) === one ? other : one
}
