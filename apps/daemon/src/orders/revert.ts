// The order to take a merge back: an item of its own, made once however often it is ordered.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import type { RevertedBy, RevertOrdered } from '@treadle/contracts/revert'
import { decideRevert, type RevertChoice, revertItem } from '@treadle/flow/supervise/orders/revert'
import { onTargetOf } from '@treadle/flow/work/item-target'
import { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'

type RevertWorld = Pick<World, 'store' | 'now' | 'git' | 'source' | 'target'>

/** Null: there is no such item. */
export async function orderRevert(
  world: RevertWorld,
  ref: ItemRef,
  by: Actor,
): Promise<RevertOrdered | null> {
  const { store } = world
  const merged = await store.items.find(ref)
  if (merged === null) return null
  const { target } = onTargetOf(world, merged)
  // Git is asked before the transaction; the target may move meanwhile, and then the agent finds out.
  const inverse = await inverseOn({ ...world, target }, merged)
  const conflicts = [...(inverse?.conflicts ?? [])]
  return store.tx(async () => {
    // Two orders at a time come one after the other.
    const item = await store.items.lock(ref)
    if (item === null) return null
    const choice = decideRevert({ item, target, revert: await standingRevert(world, ref), inverse })
    if (choice.is === 'refuse') throw new Refusal(choice.why, choice.hint)
    if (choice.is === 'open') return { item: choice.item, is: 'open', conflicts }
    return { item: await add(world, { merged: item, choice, conflicts, by }), is: 'added', conflicts }
  })
}

async function inverseOn({ git, source, target }: RevertWorld, { mergeCommit }: Item) {
  const onto = mergeCommit === null ? null : await git.commitOf(target)
  if (mergeCommit === null || onto === null) return null
  const inverse = await git.inverseOf(mergeCommit, onto)
  if (inverse === null) return null
  const { files } = await source.diff(onto, inverse.commit)
  return { changed: files.length, conflicts: inverse.conflicts }
}

interface Addition {
  readonly merged: Item
  readonly choice: Extract<RevertChoice, { is: 'add' }>
  readonly conflicts: readonly string[]
  readonly by: Actor
}

async function add({ store, now }: RevertWorld, { merged, choice, conflicts, by }: Addition): Promise<Item> {
  const at = now()
  const item = await store.items.add(revertItem(merged, choice.reverts, conflicts), at)
  const ref = { projectNumber: item.projectNumber, number: item.number }
  await store.events.append({
    id: `revert:${ref.projectNumber}.${choice.reverts.number}:${ref.number}`,
    at,
    item: ref,
    agentId: null,
    runId: null,
    state: item.state,
    event: { type: 'item.added', title: item.title, by },
  })
  return item
}

/** The item that takes a merge back, unless it was itself taken back since. Each has a higher number than the last. */
async function standingRevert(world: Pick<World, 'store'>, ref: ItemRef): Promise<Item | null> {
  const revert = await world.store.items.revertOf(ref)
  if (revert === null || revert.state !== 'done') return revert
  const again = await standingRevert(world, revert)
  return again?.state === 'done' ? null : revert
}

export async function revertedBy(world: Pick<World, 'store'>, ref: ItemRef): Promise<RevertedBy | null> {
  const revert = await standingRevert(world, ref)
  return revert === null
    ? null
    : { number: revert.number, state: revert.state, mergeCommit: revert.mergeCommit }
}
