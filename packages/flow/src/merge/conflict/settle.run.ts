// A conflict settled by choices: the merge they make is put on the branch, and then it is resolved like any other.
import type { Conflict } from '@treadle/contracts/conflict'
import type { Settlement } from '@treadle/contracts/conflict-parts'
import { adaptMessage } from '../../work/commit-message.ts'
import { onTargetOf } from '../../work/item-target.ts'
import { type Resolution, type ResolveWorld, runResolve } from './conflict.run.ts'

/** Nothing is committed unless both sides are where they were when they were read. */
export async function runSettle(
  anywhere: ResolveWorld,
  conflict: Conflict,
  { by, target, branch, files }: Settlement & { readonly by: string },
): Promise<Resolution> {
  const { branchName, projectNumber, issueNumber } = conflict
  const item = await anywhere.store.items.find({ projectNumber, number: issueNumber })
  if (item?.state !== 'conflicted')
    return refused(`#${issueNumber} is ${item?.state ?? 'gone'} and does not wait for this`)
  const world = onTargetOf(anywhere, item)
  const { git } = world
  const { fetchMs } = world.config().limits
  const head = await git.takePushed(branchName, fetchMs)
  if (head === null) return refused(`the branch ${branchName} is gone`)
  if (head !== branch) return refused(movedOn(branchName))
  const latest = await git.latest(world.target, fetchMs)
  if (latest.commit !== target) return refused(movedOn(world.target))
  const settled = await git.settleConflict({
    target,
    branch,
    files,
    message: adaptMessage(item, world.target),
  })
  if (settled.is === 'refused') return settled
  const beside = latest.beside === null ? null : await git.dryRun(latest.beside, settled.commit)
  if (beside?.is === 'conflicted')
    return refused(
      `origin/${world.target} and ${world.target} have gone different ways, and the result conflicts with the other one in ${beside.files.join(', ')}`,
    )
  if (!(await git.moveBranch({ branch: branchName, from: head, to: settled.commit }))) {
    const at = await git.commitOf(`refs/heads/${branchName}`)
    return refused(
      at === head
        ? `${branchName} is checked out in a worktree of yours; remove that first, or resolve it there`
        : movedOn(branchName),
    )
  }
  return runResolve(world, conflict, by)
}

function refused(why: string): Resolution {
  return { is: 'refused', why }
}

function movedOn(name: string): string {
  return `${name} has moved since you looked; read the conflict again, nothing was committed`
}
