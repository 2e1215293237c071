// The change of an item that takes a merge back: computed, not written. An engine is asked only where later work
// stands in the way, or where a reviewer wants something else.
import type { AgentMove } from '@treadle/contracts/event'
import type { Reverts } from '@treadle/contracts/item'
import { phaseRecord } from '@treadle/contracts/run'
import { revertConflictWords } from '@treadle/contracts/words/revert'
import { changesOf } from '../work/changes.run.ts'
import { checkpointMessage } from '../work/commit-message.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from '../work/work-world.ts'

type RevertStart =
  | { readonly is: 'moved'; readonly move: Extract<AgentMove, { type: 'build.finished' | 'item.escalated' }> }
  /** An engine goes on from here. */
  | { readonly is: 'open'; readonly job: WorkJob }

export async function runRevert(world: WorkWorld, job: WorkJob): Promise<RevertStart> {
  const { item, base, run } = job
  const { reverts } = item
  if (reverts === null) return { is: 'open', job }
  const startedAt = world.clock.now()
  const inverse = await world.git.inverseOf(reverts.commit, base)
  if (inverse === null)
    return escalate(`the merge of #${reverts.number} (${reverts.commit}) is not in the history of ${base}`)
  const { files } = await world.git.diff(base, inverse.commit)
  if (files.length + inverse.conflicts.length === 0)
    return escalate(`nothing of what #${reverts.number} brought is left, so there is nothing to take back`)
  await world.git.restore(world.worktree, inverse.commit, checkpointRef(run.id, '1-before'))
  if (inverse.conflicts.length > 0) return { is: 'open', job: withConflicts(job, reverts, inverse.conflicts) }
  // What a reviewer wants besides is no computation.
  if (item.needsRework && item.sentBackBy === 'review') return { is: 'open', job }
  return { is: 'moved', move: await finish(world, job, { reverts, startedAt }) }
}

function escalate(why: string): RevertStart {
  return { is: 'moved', move: { type: 'item.escalated', why } }
}

/** The engine reads which files it has to see to; the item may say so already. */
function withConflicts(job: WorkJob, reverts: Reverts, conflicts: readonly string[]): WorkJob {
  const words = revertConflictWords(reverts, conflicts)
  const { item } = job
  return item.body.includes(words) ? job : { ...job, item: { ...item, body: `${item.body}\n\n${words}` } }
}

async function finish(
  world: WorkWorld,
  { base, run }: WorkJob,
  { reverts, startedAt }: { reverts: Reverts; startedAt: Date },
): Promise<Extract<AgentMove, { type: 'build.finished' }>> {
  const { git, worktree, clock } = world
  const checkpoint = await git.checkpoint(
    worktree,
    checkpointRef(run.id, '1-build'),
    checkpointMessage('build', run.id),
  )
  const summary = `the inverse of the merge of #${reverts.number}, computed; no engine was asked`
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
  return { type: 'build.finished', summary, checkpoint, confidence: null, records: [record] }
}
