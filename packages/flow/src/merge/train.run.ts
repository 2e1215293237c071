// The merge train: what waits is stacked and tested once, a red stack is halved until the guilty one stands alone. Who
// stands alone is merged by the merge stage, so that an item goes back only for what it does to the target by itself.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { Fault } from '../fault.ts'
import type { Latest } from '../ports/git.ts'
import { mergeMessage } from '../work/commit-message.ts'
import { onTargetOf } from '../work/item-target.ts'
import { landStack, type Tried, testMerged } from './land.run.ts'
import { deliveredOf, followHead, recordMerge, runMerge, stillWaits } from './merge.run.ts'
import { type ApprovedItem, type MergeWorld, refOf, SWAPS_MAX } from './merge-world.ts'
import { chooseBatch, groupsAfter, runsOf, type Together } from './train.ts'

const WAITING_MAX = 200

/** Merges the item, and up to `merge.batch` in all of those that wait with it for the same branch. */
export async function runTrain(anywhere: MergeWorld, ref: ItemRef): Promise<void> {
  const item = await anywhere.store.items.find(ref)
  if (item === null) return
  const world = onTargetOf(anywhere, item)
  const batch = await batchOf(world, item)
  if (batch.length < 2) return runMerge(world, ref)
  try {
    await runGroups(world, await recordLanded(world, batch))
  } catch (error) {
    if (!(error instanceof Fault) || world.signal.aborted) throw error
    // What broke may be about another item of the batch; this one must not be held up by it.
    await runMerge(world, ref)
  }
}

async function batchOf(world: MergeWorld, item: Item): Promise<ApprovedItem[]> {
  const max = world.config().merge.batch
  const turn = approvedOf(item)
  if (turn === null || max < 2) return []
  const waiting: ApprovedItem[] = []
  for (const item of await world.store.items.inStates(['merging'], WAITING_MAX)) {
    const approved = item.target === turn.target ? approvedOf(item) : null
    // With several daemons on one database, whose repositories differ, each merges what it has.
    if (approved !== null && (await world.git.commitOf(approved.headCommit)) !== null) waiting.push(approved)
  }
  return chooseBatch(waiting, turn, max)
}

function approvedOf(item: Parameters<typeof deliveredOf>[0]): ApprovedItem | null {
  const delivered = deliveredOf(item)
  return delivered === null || delivered.approval === null
    ? null
    : { ...delivered, approval: delivered.approval }
}

async function runGroups(world: MergeWorld, batch: readonly ApprovedItem[]): Promise<void> {
  // The same tree comes up again when the half below it has landed; it need not be tested twice to be red.
  const red = new Set<string>()
  let groups: (readonly ApprovedItem[])[] = batch.length === 0 ? [] : [batch]
  let tries = SWAPS_MAX
  for (;;) {
    const [group, ...rest] = groups
    if (group === undefined) return
    const [only, second] = group
    if (only !== undefined && second === undefined) {
      await runMerge(world, refOf(only))
      groups = rest
      continue
    }
    const together = await mergeTogether(world, group, red)
    if (together.is === 'moved') tries -= 1
    groups = groupsAfter({ group, rest }, together, tries)
  }
}

async function mergeTogether(
  world: MergeWorld,
  given: readonly ApprovedItem[],
  red: Set<string>,
): Promise<Together<ApprovedItem>> {
  const { git, target } = world
  const group = await waitingOf(world, given)
  for (const item of group) await followHead(world, item)
  const latest = await git.latest(target, world.config().limits.fetchMs)
  const { stack, left, top } = await stackUp(world, group, latest)
  // Alone it is merged as if there were no train.
  if (stack.length < 2 || top === null) return { is: 'landed', left: group }
  const tree = await git.treeOf(top)
  const items = stack.map(({ item }) => item)
  if (red.has(tree)) return { is: 'red', tried: items, left }
  const checked = await testMerged(world, items, { commit: top, base: latest.commit })
  if (checked.some(({ is }) => is === 'red')) {
    red.add(tree)
    return { is: 'red', tried: items, left }
  }
  // The checks took their time: a deadline may have taken one of them away.
  if ((await waitingOf(world, items)).length < items.length) return { is: 'moved' }
  const tried = stack.map((each, at): Tried => ({ ...each, gates: checked[at]?.gates ?? [] }))
  const landed = await landStack(world, tried, latest)
  if (landed === null) return { is: 'moved' }
  for (const [at, item] of items.entries()) {
    const commit = landed.commits[at]
    if (commit !== undefined)
      await recordMerge(world, item, { type: 'merge.landed', commit, target, note: landed.note })
  }
  return { is: 'landed', left }
}

interface Stack {
  readonly stack: readonly { readonly item: ApprovedItem; readonly tree: string }[]
  /** What conflicts with the target or with an earlier one. */
  readonly left: readonly ApprovedItem[]
  /** The merge of all of them, only tried. */
  readonly top: string | null
}

async function stackUp(world: MergeWorld, group: readonly ApprovedItem[], latest: Latest): Promise<Stack> {
  const { git } = world
  const stack: { item: ApprovedItem; tree: string }[] = []
  const left: ApprovedItem[] = []
  let top: string | null = null
  for (const item of group) {
    const head = item.headCommit
    // What the target here has is in the stack; what origin has besides is not.
    const beside = latest.beside === null ? null : await git.dryRun(latest.beside, head)
    const target: string = top ?? latest.commit
    const trial =
      beside?.is === 'conflicted'
        ? beside
        : await git.prepareMerge({ target, head, message: mergeMessage(item, null) })
    if (trial.is === 'conflicted') left.push(item)
    else {
      top = trial.commit
      stack.push({ item, tree: await git.treeOf(top) })
    }
  }
  return { stack, left, top }
}

/** Those whose delivery is still the one that is to be merged. */
async function waitingOf(world: MergeWorld, items: readonly ApprovedItem[]): Promise<ApprovedItem[]> {
  const waiting: ApprovedItem[] = []
  for (const item of items) {
    if (await stillWaits(world, item)) waiting.push(item)
  }
  return waiting
}

/** A daemon killed between the swap and the record finds its merges here; what has not landed remains. */
async function recordLanded(world: MergeWorld, batch: readonly ApprovedItem[]): Promise<ApprovedItem[]> {
  const { git, target } = world
  const landed: { item: ApprovedItem; commit: string; parent: string }[] = []
  const remaining: ApprovedItem[] = []
  for (const item of batch) {
    const commit = await git.findLanded(target, item.headCommit)
    const parent = commit === null ? null : await git.commitOf(`${commit}^1`)
    if (commit === null || parent === null) remaining.push(item)
    else landed.push({ item, commit, parent })
  }
  // A stack came in one swap, so a checkout that it was brought into follows in one step as well.
  for (const run of runsOf(landed)) {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) continue
    const { note } = await git.syncCheckout(target, first.parent, last.commit)
    for (const { item, commit } of run)
      await recordMerge(world, item, { type: 'merge.landed', commit, target, note })
  }
  return remaining
}
