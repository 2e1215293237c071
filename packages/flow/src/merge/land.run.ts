// Tests what merges would make of the target, and brings what was tested onto it: one merge commit with its own
// receipt for each item, one swap for all of them.
import { createHash } from 'node:crypto'
import type { GateResult } from '@treadle/contracts/gate'
import { RECEIPT_NOTES, type Receipt, readReceipt } from '@treadle/contracts/receipt'
import { receiptOfBuild } from '../build/builds/receipt-of-build.run.ts'
import { Fault } from '../fault.ts'
import type { Gates } from '../ports/gates.ts'
import type { Latest, Signature } from '../ports/git.ts'
import { decideVerify } from '../verify/decide.ts'
import { holdAgainst } from '../verify/verify.run.ts'
import { mergeMessage } from '../work/commit-message.ts'
import { runTestGates } from '../work/test-gates.run.ts'
import { isInverse } from './is-inverse.run.ts'
import { type ApprovedItem, type DeliveredItem, type MergeWorld, refOf, scratchOf } from './merge-world.ts'
import { makeReceipt, type ReceiptFacts, receiptText } from './receipt.ts'
import { mayMergeUntested } from './untested.ts'

// ── The checks on what would be ─────────────────────────────────────────────────────────────────

export type MergeCheck =
  | { readonly is: 'green'; readonly gates: readonly GateResult[] }
  | { readonly is: 'red'; readonly gates: GateResult[]; readonly why: string }

/** What each item's checks say of a commit that holds all of them; a command is run once. */
export async function testMerged(
  world: MergeWorld,
  items: readonly DeliveredItem[],
  { commit, base }: { commit: string; base: string },
): Promise<MergeCheck[]> {
  const [first] = items
  if (first === undefined) return []
  const test = (of: string) =>
    world.git.withCheckout(of, scratchOf(world, first), async (cwd) => {
      await setUp(world, cwd)
      const gates = items.length === 1 ? world.gates : onceEach(world.gates)
      const found: GateResult[][] = []
      for (const item of items)
        found.push(
          await runTestGates({
            gates,
            cwd,
            item,
            suite: world.testCommand,
            timeoutMs: world.config().tests.timeoutMs,
            signal: world.signal,
          }),
        )
      return found
    })
  const found = await test(commit)
  // Only a red suite needs to know what was red before.
  const suiteRed = found.flat().some((gate) => gate.gate === 'no_regression' && gate.is === 'failed')
  const before = suiteRed ? await test(base) : []
  const judged = items.map((item, at) =>
    judge(world, item, { found: found[at] ?? [], before: before[at] ?? [] }),
  )
  if (world.signal.aborted) throw new Fault('stopped', 'the daemon is stopping')
  // A red stack is halved anyway. Who stands alone is refused only for what fails twice on the same tree.
  if (items.length > 1 || judged.every(({ is }) => is === 'green')) return judged
  const again = await test(commit)
  if (world.signal.aborted) throw new Fault('stopped', 'the daemon is stopping')
  return [judge(world, first, { found: again[0] ?? [], before: before[0] ?? [] })]
}

function judge(
  { target }: MergeWorld,
  item: DeliveredItem,
  { found, before }: { found: readonly GateResult[]; before: readonly GateResult[] },
): MergeCheck {
  const gates = holdAgainst(found, before, item)
  const choice = decideVerify({ gates, changedFiles: 1 })
  return choice.is === 'deliver' || mayMergeUntested(item, gates)
    ? { is: 'green', gates }
    : { is: 'red', gates, why: `merged with ${target}: ${choice.why}`.slice(0, 4_000) }
}

/** Items of one stack share the suite, and often nothing else. */
function onceEach(gates: Gates): Gates {
  const known = new Map<string | null, Promise<GateResult>>()
  const built = new Map<string | null, Promise<GateResult | null>>()
  return {
    ...gates,
    runBuild: (request) => once(built, request.command, () => gates.runBuild(request)),
    runTests: (request) => once(known, request.command, () => gates.runTests(request)),
  }
}

function once<T>(known: Map<string | null, Promise<T>>, command: string | null, run: () => Promise<T>) {
  const found = known.get(command) ?? run()
  known.set(command, found)
  return found
}

async function setUp(world: MergeWorld, cwd: string): Promise<void> {
  const { setupCommand, timeoutMs } = world.config().tests
  if (setupCommand === null) return
  const ready = await world.gates.runSetup({ cwd, command: setupCommand, timeoutMs, signal: world.signal })
  if (ready.is === 'failed') throw new Fault('setup', ready.why)
}

// ── Landing ─────────────────────────────────────────────────────────────────────────────────────

/** One item of a stack, as it was tried. */
export interface Tried {
  readonly item: ApprovedItem
  readonly gates: readonly GateResult[]
  /** Of its merge. */
  readonly tree: string
}

export interface StackLanded {
  /** The merge of each, in the order of the stack. */
  readonly commits: readonly string[]
  readonly note: string | null
}

/** Null: the target moved meanwhile. The checks ran on the tree of the last. */
export async function landStack(
  world: MergeWorld,
  stack: readonly Tried[],
  latest: Latest,
): Promise<StackLanded | null> {
  const { git, target } = world
  const commits = await seal(world, stack, latest.commit)
  const last = commits?.at(-1)
  const item = stack.at(-1)?.item
  if (commits === null || last === undefined || item === undefined) return null
  // What origin had and the target here had not comes along; the swap is from what is here.
  const here = await git.commitOf(target)
  if (here === null) throw new Fault('target', `branch ${target} does not exist`)
  // Whatever was committed here meanwhile must not be lost, whichever of the two was ahead.
  if (here !== latest.commit && (latest.from === 'here' || (await git.mergeBase(here, last)) !== here))
    return null
  // Origin first: it may have moved while the checks ran, and then nothing has happened here yet.
  if (world.config().merge.push && !(await publish(world, item, { latest, commit: last }))) return null
  const landed = await git.land(target, here, last)
  return landed.is === 'landed' ? { commits, note: landed.note } : null
}

/** The same trees again, now with the hash of what was found about them. Null: the merges come out otherwise now. */
async function seal(world: MergeWorld, stack: readonly Tried[], onto: string): Promise<string[] | null> {
  const { git } = world
  const batch = batchOf(stack)
  const commits: string[] = []
  for (const tried of stack) {
    const { item } = tried
    const base = commits.at(-1) ?? onto
    const text = receiptText(await receiptOf(world, tried, { base, batch }))
    const digest = createHash('sha256').update(text).digest('hex')
    const prepared = await git.prepareMerge({
      target: base,
      head: item.headCommit,
      message: mergeMessage(item, digest),
      sign: world.config().merge.sign !== 'never',
    })
    if (prepared.is === 'conflicted' || (await git.treeOf(prepared.commit)) !== tried.tree) return null
    await tellSignature(world, item, prepared.signature)
    await git.writeNote(RECEIPT_NOTES, prepared.commit, text)
    commits.push(prepared.commit)
  }
  return commits
}

function batchOf(stack: readonly Tried[]): ReceiptFacts['batch'] {
  const last = stack.at(-1)
  if (last === undefined || stack.length === 1) return null
  return {
    tested: last.tree,
    merges: stack.map(({ item }) => ({ item: refOf(item), head: item.headCommit })),
  }
}

async function receiptOf(
  world: MergeWorld,
  { item, gates, tree }: Tried,
  { base, batch }: { base: string; batch: ReceiptFacts['batch'] },
): Promise<Receipt> {
  const { git } = world
  const standAt = async (at: string) => ({ commit: at, tree: await git.treeOf(at) })
  return makeReceipt({
    item,
    run: item.runId === null ? null : await world.store.runs.find(item.runId),
    review: await reviewOf(world, item),
    target: world.target,
    isInverse: await takesBack(world, item, base),
    build: await receiptOfBuild(world, item, base),
    base: await standAt(base),
    head: await standAt(item.headCommit),
    began: item.measure === null ? null : await git.mergeBase(base, item.headCommit),
    tree,
    batch,
    install: world.config().tests.setupCommand,
    merged: gates,
    locks: await git.lockFiles(batch?.tested ?? tree),
    platform: world.platform,
    at: world.now(),
  })
}

/** Whether a revert is exactly the inverse of its merge; null: the item is no revert. */
async function takesBack({ git }: MergeWorld, item: ApprovedItem, base: string): Promise<boolean | null> {
  const { reverts, headCommit: head } = item
  if (reverts === null) return null
  return (await isInverse(git, { merge: reverts.commit, base, head })) ?? false
}

/** Of this delivery, not of an earlier one. */
async function reviewOf({ store }: MergeWorld, item: ApprovedItem): Promise<ReceiptFacts['review']> {
  const review = await store.reviews.latest(refOf(item))
  return review !== null && review.runId === item.runId ? review : null
}

/** A key that cannot be used holds a merge up only if the owner wants it so. */
async function tellSignature(world: MergeWorld, item: ApprovedItem, signature: Signature): Promise<void> {
  if (world.config().merge.sign === 'required' && signature.is !== 'signed')
    throw new Fault(
      'signing',
      `merge.sign is required, and the merge of #${item.number} could not be signed: ${
        signature.is === 'failed' ? signature.why : 'no signing key is configured'
      }`,
      { hint: 'Unlock the key, or set merge.sign to auto in treadle.json.' },
    )
  if (signature.is === 'unsigned' || signature.why === undefined) return
  const how = signature.is === 'signed' ? 'is signed with the key of this workspace' : 'is not signed'
  await tellOwner(world, item, {
    about: 'signing',
    text: `the merge of #${item.number} ${how}: ${signature.why}`,
  })
}

/** Once for each delivery. */
async function tellOwner(
  world: MergeWorld,
  item: DeliveredItem,
  told: { about: 'push' | 'signing'; text: string },
): Promise<void> {
  await world.store.events.append({
    id: `${told.about === 'push' ? 'push-merged' : 'sign'}:${item.runId}:${item.headCommit.slice(0, 12)}`,
    at: world.now(),
    item: refOf(item),
    agentId: null,
    runId: item.runId,
    state: null,
    event: { type: 'owner.notified', about: told.about, text: told.text.slice(0, 4_000) },
  })
}

// ── Origin ──────────────────────────────────────────────────────────────────────────────────────

/** False: origin has something that the merge has not. An origin that does not answer holds no merge up. */
async function publish(
  world: MergeWorld,
  item: ApprovedItem,
  { latest, commit }: { latest: Latest; commit: string },
): Promise<boolean> {
  const { git, target } = world
  if (latest.beside !== null)
    throw new Fault('merge', `origin/${target} and ${target} have gone different ways`, {
      hint: 'Bring the two together, or set merge.push to false in treadle.json.',
    })
  // The receipts come first, so that whoever finds the merge at origin finds them too.
  const notes = await git.pushNotes(RECEIPT_NOTES, world.config().limits.fetchMs)
  const pushed = await git.pushCommit(target, commit)
  if (pushed.is === 'moved') return false
  const failed = [pushed, notes].find((each) => each.is === 'failed')
  if (failed?.is === 'failed')
    await tellOwner(world, item, {
      about: 'push',
      text: `${target} was merged here and could not be pushed: ${failed.why}`,
    })
  return true
}

/** Merges that a daemon has pushed and was killed before it could swap; the target here follows to what was tested. */
export async function landPushed(world: MergeWorld, item: ApprovedItem, latest: Latest): Promise<boolean> {
  const { git, target } = world
  if (latest.from !== 'origin') return false
  const merged = await git.findLanded(latest.commit, item.headCommit)
  const text = merged === null ? null : await git.readNote(RECEIPT_NOTES, merged)
  const receipt = text === null ? null : readReceipt(text)
  if (merged === null || receipt === null || 'why' in receipt) return false
  const last = receipt.predicate.batch?.merges.at(-1)
  const tested = last === undefined ? merged : await git.findLanded(latest.commit, last.head)
  const here = await git.commitOf(target)
  if (tested === null || here === null || (await git.mergeBase(here, tested)) !== here) return false
  return (await git.land(target, here, tested)).is === 'landed'
}
