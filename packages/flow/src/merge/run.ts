// Lands one approved change: merge as an object, test the merged tree, swap the ref. Safe to run again at any point.
import type { ItemMove } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { type AdvanceWorld, advance } from '../advance.ts'
import { Fault } from '../fault.ts'
import type { Gates, MergeGit } from '../ports.ts'
import { decideVerify } from '../verify/decide.ts'
import { holdAgainst, runTestGates } from '../verify/run.ts'
import { mergeMessage } from './commit-message.ts'

export interface MergeWorld extends AdvanceWorld {
  readonly git: MergeGit
  readonly gates: Gates
  readonly target: string
  /** The whole suite; null if none is known. */
  readonly testCommand: string | null
  /** Where a throw-away checkout may be put. */
  readonly scratch: (name: string) => string
  readonly signal: AbortSignal
}

const SWAPS_MAX = 5

export async function runMerge(world: MergeWorld, ref: ItemRef): Promise<void> {
  const item = await world.store.items.find(ref)
  if (item === null || item.state !== 'merging' || item.headCommit === null) return
  const move = await merge(world, item, item.headCommit)
  await advance(world, {
    item: ref,
    // A delivery is merged once; the number of send-backs tells a second delivery of the same run apart.
    eventId: `merge:${item.runId}:${item.reviewCycles}:${move.type}`,
    fence: null,
    agentId: null,
    move,
  })
}

async function merge(world: MergeWorld, item: Item, head: string): Promise<ItemMove> {
  const { git, target } = world
  for (let swap = 0; swap < SWAPS_MAX; swap += 1) {
    // A daemon killed between the swap and the record finds its own merge here.
    const there = await git.findLanded(target, head)
    if (there !== null) return found(git, target, there)
    const prepared = await git.prepareMerge({ target, head, message: mergeMessage(item) })
    if (prepared.is === 'conflicted') {
      return { type: 'merge.conflicted', files: prepared.files, why: `conflicts with ${target}` }
    }
    const red = await testMerged(world, item, prepared.commit, prepared.base)
    if (red !== null) return red
    const landed = await git.land(target, prepared.base, prepared.commit)
    if (landed.is === 'landed')
      return { type: 'merge.landed', commit: prepared.commit, target, note: landed.note }
  }
  throw new Fault('merge', `${target} moved ${SWAPS_MAX} times while #${item.number} was being merged`)
}

async function found(git: MergeGit, target: string, commit: string): Promise<ItemMove> {
  const base = await git.commitOf(`${commit}^1`)
  const synced = base === null ? null : await git.syncCheckout(target, base, commit)
  return { type: 'merge.landed', commit, target, note: synced?.note ?? null }
}

async function testMerged(
  world: MergeWorld,
  item: Item,
  commit: string,
  base: string,
): Promise<ItemMove | null> {
  const plan = (cwd: string) => ({
    gates: world.gates,
    cwd,
    item,
    suite: world.testCommand,
    timeoutMs: world.config().tests.timeoutMs,
    signal: world.signal,
  })
  const scratch = world.scratch(`merge-${item.projectNumber}-${item.number}`)
  const test = (of: string) =>
    world.git.withCheckout(of, scratch, async (cwd) => {
      await setUp(world, cwd)
      return runTestGates(plan(cwd))
    })
  const found = await test(commit)
  // Only a red suite needs to know what was red before.
  const suiteRed = found.some((gate) => gate.gate === 'no_regression' && gate.is === 'failed')
  const gates = holdAgainst(found, suiteRed ? await test(base) : [], item)
  if (world.signal.aborted) throw new Fault('stopped', 'the daemon is stopping')
  const choice = decideVerify({ gates, changedFiles: 1 })
  return choice.is === 'deliver'
    ? null
    : { type: 'merge.failed', gates, why: `merged with ${world.target}: ${choice.why}`.slice(0, 4_000) }
}

async function setUp(world: MergeWorld, cwd: string): Promise<void> {
  const { setupCommand, timeoutMs } = world.config().tests
  if (setupCommand === null) return
  const ready = await world.gates.runSetup({ cwd, command: setupCommand, timeoutMs, signal: world.signal })
  if (ready.is === 'failed') throw new Fault('setup', ready.why)
}
