// Lands one approved change: merge as an object, test the merged tree, write its receipt, swap the ref. What nobody
// approved is only held against the target and pushed. Safe to run again at any point.
import type { ItemMove } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { type ItemRef, NO_REMOTE } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { Fault } from '../fault.ts'
import type { Latest, MergeGit } from '../ports/git.ts'
import { adaptMessage, mergeMessage } from '../work/commit-message.ts'
import { onTargetOf } from '../work/item-target.ts'
import { type PushOutcome, runPush } from '../work/push.run.ts'
import { checkpointRef } from '../work/work-world.ts'
import { decideConflict } from './conflict/decide.ts'
import { landPushed, landStack, type MergeCheck, testMerged } from './land.run.ts'
import {
  type ApprovedItem,
  type DeliveredItem,
  type MergeWorld,
  refOf,
  SWAPS_MAX,
  scratchOf,
} from './merge-world.ts'

export async function runMerge(world: MergeWorld, ref: ItemRef): Promise<void> {
  const item = deliveredOf(await world.store.items.find(ref))
  const move = item === null ? null : await merge(onTargetOf(world, item), item)
  if (item !== null && move !== null) await recordMerge(world, item, move)
}

/** Null: it does not wait for its merge. */
export function deliveredOf(item: Item | null): DeliveredItem | null {
  if (item === null || item.state !== 'merging' || item.headCommit === null || item.branch === null)
    return null
  const { headCommit, branch } = item
  return { ...item, headCommit, branch }
}

/** False: a deadline or a person has moved it, or it was delivered anew. */
export async function stillWaits(world: Pick<MergeWorld, 'store'>, item: DeliveredItem): Promise<boolean> {
  const now = deliveredOf(await world.store.items.find(refOf(item)))
  return now?.headCommit === item.headCommit && now.runId === item.runId
}

export async function recordMerge(world: MergeWorld, item: DeliveredItem, move: ItemMove): Promise<void> {
  await world.advance({
    item: refOf(item),
    // A delivery is merged once; the number of send-backs tells a second delivery of the same run apart.
    eventId: `merge:${item.runId}:${item.reviewCycles}:${move.type}`,
    fence: null,
    agentId: null,
    move,
  })
}

/** Null: it was taken away meanwhile, and nothing is to be done. */
async function merge(world: MergeWorld, given: DeliveredItem): Promise<ItemMove | null> {
  const { git, target } = world
  let item = given
  let tested: Tested | null = null
  await followHead(world, item)
  for (let swap = 0; swap < SWAPS_MAX; swap += 1) {
    if (!(await stillWaits(world, item))) return null
    const there = await landedBefore(world, item)
    if (there !== null) return there
    const latest = await git.latest(target, world.config().limits.fetchMs)
    const { approval } = item
    if (approval !== null && (await landPushed(world, { ...item, approval }, latest))) continue
    const met = await conflictsWith(git, item.headCommit, latest)
    if (met.files.length > 0) {
      const adapted = await adapt(world, item, { latest, ...met })
      if (adapted.is === 'ended') return adapted.move
      item = adapted.item
      tested = { onto: latest.commit, gates: adapted.gates }
      continue
    }
    const ended = await end(world, item, { latest, tested })
    if (ended !== null) return ended
  }
  throw new Fault('merge', `${target} moved ${SWAPS_MAX} times while #${item.number} was being merged`)
}

interface Met {
  /** Where the head conflicts with the newest target, here or at origin. */
  readonly files: readonly string[]
  /** Also with what origin has and the target here has not. */
  readonly beside: boolean
}

async function conflictsWith(git: MergeGit, head: string, latest: Latest): Promise<Met> {
  const filesOf = async (commit: string | null): Promise<readonly string[]> => {
    const dry = commit === null ? null : await git.dryRun(commit, head)
    return dry?.is === 'conflicted' ? dry.files : []
  }
  const [files, others] = [await filesOf(latest.commit), await filesOf(latest.beside)]
  return { files: [...new Set([...files, ...others])].sort(), beside: others.length > 0 }
}

/** Null: the target or the item moved meanwhile. */
async function end(
  world: MergeWorld,
  item: DeliveredItem,
  { latest, tested }: { latest: Latest; tested: Tested | null },
): Promise<ItemMove | null> {
  const { approval } = item
  if (approval === null) return handOver(world, item)
  // An adapted head holds all of what it was adapted to, so the merge would have the tree that was just tested.
  const gates = tested?.onto === latest.commit ? tested.gates : null
  return land(world, { ...item, approval }, { latest, gates })
}

/** What was found on an adapted head. */
interface Tested {
  readonly onto: string
  readonly gates: readonly GateResult[]
}

/** Null: the target or the item moved meanwhile. */
async function land(
  world: MergeWorld,
  item: ApprovedItem,
  { latest, gates }: { latest: Latest; gates: readonly GateResult[] | null },
): Promise<ItemMove | null> {
  const { git, target } = world
  const trial = await git.prepareMerge({
    target: latest.commit,
    head: item.headCommit,
    message: mergeMessage(item, null),
  })
  if (trial.is === 'conflicted') return null
  const tested: MergeCheck = gates === null ? await testOne(world, item, trial) : { is: 'green', gates }
  // The checks took their time: a deadline may have taken it away.
  if (!(await stillWaits(world, item))) return null
  if (tested.is === 'red') return { type: 'merge.failed', gates: tested.gates, why: tested.why }
  const tree = await git.treeOf(trial.commit)
  const landed = await landStack(world, [{ item, gates: tested.gates, tree }], latest)
  const commit = landed?.commits[0]
  if (landed === null || commit === undefined) return null
  return { type: 'merge.landed', commit, target, note: landed.note }
}

async function testOne(
  world: MergeWorld,
  item: DeliveredItem,
  on: { commit: string; base: string },
): Promise<MergeCheck> {
  const [tested] = await testMerged(world, [item], on)
  if (tested === undefined) throw new Error('one item was tested, and nothing was found')
  return tested
}

/** A daemon killed between the swap and the record finds its own merge here. */
async function landedBefore({ git, target }: MergeWorld, item: DeliveredItem): Promise<ItemMove | null> {
  const commit = item.approval === null ? null : await git.findLanded(target, item.headCommit)
  if (commit === null) return null
  const base = await git.commitOf(`${commit}^1`)
  const synced = base === null ? null : await git.syncCheckout(target, base, commit)
  return { type: 'merge.landed', commit, target, note: synced?.note ?? null }
}

// ── Without a merge ─────────────────────────────────────────────────────────────────────────────

/** Here the push is the delivery: what origin did not take is not done, and goes back to the queue with the reason. */
async function handOver(world: MergeWorld, item: DeliveredItem): Promise<ItemMove> {
  const { branch, headCommit } = item
  const { pushed, note } = await pushBranch(world, item)
  if (!pushed && note !== null && note !== NO_REMOTE)
    return { type: 'merge.failed', gates: [], why: note, during: 'push' }
  return { type: 'merge.delivered', branch, head: headCommit, pushed, note }
}

/** After the last try the owner is told, once for each delivery. */
async function pushBranch(world: MergeWorld, item: DeliveredItem): Promise<PushOutcome> {
  const { git, sleep, signal } = world
  const outcome = await runPush(
    { git, sleep, signal, retries: world.config().limits.pushRetries },
    item.branch,
  )
  if (outcome.note === null || outcome.note === NO_REMOTE) return outcome
  await world.store.events.append({
    id: `push:${item.runId}:${item.headCommit.slice(0, 12)}`,
    at: world.now(),
    item: refOf(item),
    agentId: null,
    runId: item.runId,
    state: null,
    event: { type: 'owner.notified', about: 'push', text: `${item.branch}: ${outcome.note}` },
  })
  return outcome
}

// ── Small conflicts ─────────────────────────────────────────────────────────────────────────────

type Adapted =
  | { readonly is: 'adapted'; readonly item: DeliveredItem; readonly gates: readonly GateResult[] }
  /** Null: the item was taken away meanwhile. */
  | { readonly is: 'ended'; readonly move: ItemMove | null }

/** Tries a small conflict in a throw-away checkout; the branch moves only when the checks hold. */
async function adapt(
  world: MergeWorld,
  item: DeliveredItem,
  { latest, files, beside }: Met & { readonly latest: Latest },
): Promise<Adapted> {
  const { git, target } = world
  const { merge, limits } = world.config()
  const stop = (why: string): Adapted => ({
    is: 'ended',
    move: {
      type: 'merge.conflicted',
      files: [...files],
      why: `conflicts with ${target} (${why})`.slice(0, 4_000),
    },
  })
  if (beside) return stop(`origin/${target} and ${target} have gone different ways`)
  const choice = decideConflict({
    files,
    allowed: merge.autoResolve,
    criticalFiles: merge.criticalFiles,
    filesMax: limits.conflictFiles,
    pushed: await git.isPushed(item.branch, limits.fetchMs),
  })
  if (choice.is === 'escalate') return stop(choice.because)
  const resolved = await git.resolve({
    head: item.headCommit,
    onto: latest.commit,
    how: choice.how,
    path: scratchOf(world, item),
    message: adaptMessage(item, target),
  })
  if (resolved.is === 'failed') return stop(`the ${choice.how} failed: ${resolved.why}`)
  const tested = await testOne(world, item, { commit: resolved.commit, base: latest.commit })
  if (!(await stillWaits(world, item))) return { is: 'ended', move: null }
  if (tested.is === 'red') return stop(`with the side of ${target} taken, ${tested.why}`)
  const adapted = { ...item, headCommit: resolved.commit }
  // The references come first: from the record on, both the old head and the new one must be there for good.
  await git.keep(beforeRef(adapted), item.headCommit)
  await git.keep(checkpointRef(item.runId ?? 'none', `adapted-${shortOf(adapted)}`), resolved.commit)
  await world.advance({
    item: refOf(item),
    eventId: `merge:${item.runId}:${item.reviewCycles}:adapted:${shortOf(adapted)}`,
    fence: null,
    agentId: null,
    move: {
      type: 'merge.auto_resolved',
      head: resolved.commit,
      onto: latest.commit,
      how: choice.how,
      files: [...files],
    },
  })
  await followHead(world, adapted)
  return { is: 'adapted', item: adapted, gates: tested.gates }
}

/** The branch goes to an adapted head, and then to origin; done before or half done makes no difference. */
export async function followHead(world: MergeWorld, item: DeliveredItem): Promise<void> {
  const { git } = world
  const before = await git.commitOf(beforeRef(item))
  if (before === null) return
  const at = await git.commitOf(`refs/heads/${item.branch}`)
  const moved = await git.moveBranch({ branch: item.branch, from: before, to: item.headCommit })
  if (!moved && at === before)
    throw new Fault('merge', `${item.branch} is checked out by somebody and cannot be adapted`)
  if (moved && item.approval !== null) await pushBranch(world, item)
}

function beforeRef(item: DeliveredItem): string {
  return checkpointRef(item.runId ?? 'none', `before-${shortOf(item)}`)
}

function shortOf({ headCommit }: DeliveredItem): string {
  return headCommit.slice(0, 12)
}
