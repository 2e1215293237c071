// The change of a delivery of a build: what its branch brings, computed on top of the target. No engine writes it.
import type { AgentMove } from '@treadle/contracts/event'
import { phaseRecord } from '@treadle/contracts/run'
import { isDelivery } from '../../work/build-items.ts'
import { changesOf } from '../../work/changes.run.ts'
import { checkpointMessage } from '../../work/commit-message.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from '../../work/work-world.ts'

type Computed =
  | {
      readonly is: 'moved'
      readonly move: Extract<AgentMove, { type: 'build.finished' | 'item.escalated' }>
    }
  /** An engine goes on from here. */
  | { readonly is: 'open' }

export async function runBuildChange(world: WorkWorld, { item, base, run }: WorkJob): Promise<Computed> {
  if (!isDelivery(item)) return { is: 'open' }
  const { git, worktree, clock } = world
  const startedAt = clock.now()
  const branch = await world.buildBranch?.(item)
  const tip = branch == null ? null : await git.commitOf(`refs/heads/${branch}`)
  if (branch == null || tip === null)
    return escalate(`the branch ${branch ?? 'of its build'} is not in this repository`)
  const carried = await git.carry(tip, base)
  if (carried === null) return escalate(`${branch} has nothing in common with ${base.slice(0, 12)}`)
  if (carried.is === 'conflicted')
    return escalate(
      `${branch} and the target have gone different ways in ${carried.files.join(', ')}. Merge the target into ${branch}, then put this back: treadle reopen ${item.number}`,
    )
  // What a reviewer wants besides is no computation.
  if (item.needsRework && item.sentBackBy === 'review') return { is: 'open' }
  await git.restore(worktree, carried.commit, checkpointRef(run.id, '1-before'))
  const ref = checkpointRef(run.id, '1-build')
  const checkpoint = await git.checkpoint(worktree, ref, checkpointMessage('build', run.id))
  const summary = `what ${branch} brings (${tip.slice(0, 12)}), computed; no engine was asked`
  const record = phaseRecord({
    phase: 'build',
    iteration: 0,
    startedAt: startedAt.toISOString(),
    durationMs: clock.now().getTime() - startedAt.getTime(),
    outcome: 'done',
    summary,
    checkpoint,
    ...(await changesOf(world, base, checkpoint)),
  })
  return {
    is: 'moved',
    move: { type: 'build.finished', summary, checkpoint, confidence: null, records: [record] },
  }
}

function escalate(why: string): Computed {
  return { is: 'moved', move: { type: 'item.escalated', why: why.slice(0, 4_000) } }
}
