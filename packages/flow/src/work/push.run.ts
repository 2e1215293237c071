// A branch goes to origin, where there is one; a push that fails is tried again a few times, and then by whoever
// takes the item up next, without making the change again.
import type { AgentMove } from '@treadle/contracts/event'
import { NO_REMOTE } from '@treadle/contracts/ids'
import { phaseRecord } from '@treadle/contracts/run'
import type { Clock } from '../ports/clock.ts'
import type { Pushed } from '../ports/git.ts'
import { changesOf } from './changes.run.ts'
import { checkpointMessage } from './commit-message.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from './work-world.ts'

export interface PushWorld {
  readonly git: { push(branch: string): Promise<Pushed> }
  readonly sleep: Clock['sleep']
  readonly retries: number
  readonly signal: AbortSignal
}
export interface PushOutcome {
  readonly pushed: boolean
  /** Why it was not pushed. */
  readonly note: string | null
}

const FIRST_WAIT_MS = 1_000

export async function runPush(world: PushWorld, branch: string): Promise<PushOutcome> {
  for (let tries = 0; ; tries += 1) {
    const pushed = await world.git.push(branch)
    if (pushed.is === 'pushed') return { pushed: true, note: null }
    if (pushed.is === 'no_remote') return { pushed: false, note: NO_REMOTE }
    if (tries >= world.retries) return { pushed: false, note: `push failed: ${pushed.why}`.slice(0, 1_000) }
    await world.sleep(FIRST_WAIT_MS * 2 ** tries, world.signal)
  }
}

/**
 * The change of an item that came back only because origin did not take it, as it was delivered: it is verified and
 * pushed again, and no engine is asked. Null: there is no such change, or the target has moved on since.
 */
export async function runRedeliver(
  world: WorkWorld,
  { item, run, base }: WorkJob,
): Promise<Extract<AgentMove, { type: 'build.finished' }> | null> {
  const { git, worktree, clock } = world
  const head = item.headCommit
  const onlyPush = item.needsRework && item.attempts === 0 && item.sentBackBy === 'push'
  if (!onlyPush || head === null || (await git.commitOf(`${head}^`)) !== base) return null
  const startedAt = clock.now()
  await git.restore(worktree, head, checkpointRef(run.id, '1-before'))
  const checkpoint = await git.checkpoint(
    worktree,
    checkpointRef(run.id, '1-build'),
    checkpointMessage('build', run.id),
  )
  const summary = `the change of ${head.slice(0, 8)}, which could not be pushed`
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
