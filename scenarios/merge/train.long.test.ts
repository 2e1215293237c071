// Several approved items as one stack: what lands, what goes back, what each receipt says, and what a step that broke
// in the middle means for the next try.
import { createHash } from 'node:crypto'
import type { Item } from '@treadle/contracts/item'
import { RECEIPT_NOTES, type Receipt, readReceipt } from '@treadle/contracts/receipt'
import { Fault } from '@treadle/flow/fault'
import type { MergeWorld } from '@treadle/flow/merge/merge-world'
import { runTrain } from '@treadle/flow/merge/train.run'
import { useStore } from '@treadle/store/testing/both-drivers'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { innocent } from './planted.ts'
import { openYard, SUITE, type Yard } from './yard.ts'

const open = useStore('embedded')
let numbers = 0
const another = () => {
  numbers += 1
  return innocent(1_000 + numbers)
}
const RED = { 'test/red.sh': 'false\n' }

async function yardOf(context: TestContext, merge: object = {}): Promise<Yard> {
  const yard = await openYard(await open(context), { merge: { batch: 8, ...merge } })
  onTestFinished(yard.remove)
  return yard
}

/** How often each command was run. */
function counting(world: MergeWorld): { world: MergeWorld; ran: string[] } {
  const ran: string[] = []
  const runTests: MergeWorld['gates']['runTests'] = (request) => {
    ran.push(request.command ?? '')
    return world.gates.runTests(request)
  }
  return { world: { ...world, gates: { ...world.gates, runTests } }, ran }
}

async function receiptOf(yard: Yard, commit: string | null): Promise<Receipt> {
  const text = (await yard.world.git.readNote(RECEIPT_NOTES, commit ?? '')) ?? ''
  const digest = createHash('sha256').update(text).digest('hex')
  expect(yard.scratch.sh(`git log -1 --format=%B ${commit}`)).toContain(`Receipt: sha256:${digest}`)
  const receipt = readReceipt(text)
  if ('why' in receipt) throw new Error(receipt.why)
  return receipt
}

const statesOf = (yard: Yard, items: readonly Item[]) =>
  Promise.all(items.map(async (item) => (await yard.now(item)).state))
const line = (yard: Yard) => yard.scratch.sh('git rev-list --first-parent --reverse main').trim().split('\n')
const treeOf = (yard: Yard, of: string | null) => yard.scratch.sh(`git rev-parse ${of}^{tree}`).trim()

test('three that go together are tested once and land as three merges in one move, each with its own receipt', async (context) => {
  const yard = await yardOf(context)
  const base = yard.tip()
  const items = [
    await yard.deliver(another()),
    await yard.deliver(another(), { testCommand: 'sh test.sh # own' }),
    await yard.deliver(another()),
  ]
  const { world, ran } = counting(yard.world)
  await runTrain(world, items[1] ?? { projectNumber: 0, number: 0 })
  expect(await statesOf(yard, items)).toEqual(['done', 'done', 'done'])
  expect(ran.toSorted()).toEqual([SUITE, 'sh test.sh # own'])
  expect(yard.landings).toEqual([yard.tip()])
  const merges = await Promise.all(items.map(async (item) => (await yard.now(item)).mergeCommit))
  expect(line(yard).slice(-3)).toEqual(merges)
  expect(yard.scratch.sh('git status --porcelain')).toBe('')
  const batch = {
    tested: treeOf(yard, 'main'),
    merges: items.map(({ projectNumber, number, headCommit }) => ({
      item: { projectNumber, number },
      head: headCommit,
    })),
  }
  for (const [at, commit] of merges.entries()) {
    const { subject, predicate } = await receiptOf(yard, commit)
    expect(predicate.batch).toEqual(batch)
    expect(subject[0].digest.gitTree).toBe(treeOf(yard, commit))
    expect(predicate.base.commit).toBe(at === 0 ? base : merges[at - 1])
    expect(predicate.merged.map(({ gate, command }) => [gate, command])).toEqual(
      at === 1
        ? [
            ['tests_pass', 'sh test.sh # own'],
            ['no_regression', SUITE],
          ]
        : [['tests_pass', SUITE]],
    )
  }
})

test('without a batch each is tested by itself, and its receipt says nothing of others', async (context) => {
  const yard = await yardOf(context, { batch: 1 })
  const items = [await yard.deliver(another()), await yard.deliver(another())]
  const { world, ran } = counting(yard.world)
  const [first, second] = items as [Item, Item]
  await runTrain(world, first)
  expect(await statesOf(yard, items)).toEqual(['done', 'merging'])
  await runTrain(world, second)
  expect(ran).toEqual([SUITE, SUITE])
  expect(yard.landings).toHaveLength(2)
  const { predicate, subject } = await receiptOf(yard, (await yard.now(second)).mergeCommit)
  expect(predicate).not.toHaveProperty('batch')
  expect(subject[0].digest.gitTree).toBe(treeOf(yard, 'main'))
})

test('of a red stack the innocent land and the guilty goes back with its evidence', async (context) => {
  const yard = await yardOf(context)
  const items = [
    await yard.deliver(another()),
    await yard.deliver(another()),
    await yard.deliver({ ...another(), ...RED }),
    await yard.deliver(another()),
  ]
  const { world, ran } = counting(yard.world)
  await runTrain(world, items[0] as Item)
  expect(await statesOf(yard, items)).toEqual(['done', 'done', 'rework', 'done'])
  // All four; the first two; the third and the fourth, whose tree is known to be red, each by itself.
  // The guilty one once more, by itself: what fails only once is no reason to send it back.
  expect(ran).toHaveLength(5)
  for (const commit of yard.landings) expect(yard.isGreen(commit)).toBe(true)
  const guilty = await yard.now(items[2] as Item)
  expect(guilty.reason).toContain('test/red.sh')
  const failed = (await yard.flow.store.events.ofItem(guilty, 50)).map(({ event }) => event)
  expect(failed.at(-1)).toMatchObject({ type: 'merge.failed', gates: [{ is: 'failed' }] })
})

test('what conflicts with an earlier one of the stack waits for its own turn', async (context) => {
  const yard = await yardOf(context, { autoResolve: false })
  const items = [
    await yard.deliver({ 'lib/same.sh': 'one() { :; }\n' }),
    await yard.deliver({ 'lib/same.sh': 'two() { :; }\n' }),
    await yard.deliver(another()),
  ]
  await runTrain(yard.world, items[0] as Item)
  expect(await statesOf(yard, items)).toEqual(['done', 'conflicted', 'done'])
})

for (const step of ['writeNote', 'land', 'landed', 'recorded'] as const)
  test(`a train that breaks at ${step} is taken up by whoever comes next, and each lands once`, async (context) => {
    const yard = await yardOf(context)
    const items = [
      await yard.deliver(another()),
      await yard.deliver(another()),
      await yard.deliver(another()),
    ]
    await expect(runTrain(broken(yard.world, step), items[0] as Item)).rejects.toThrow('the disk is full')
    const before = yard.tip()
    for (const item of [items[2], items[0], items[1]]) await runTrain(yard.world, item as Item)
    expect(await statesOf(yard, items)).toEqual(['done', 'done', 'done'])
    const landedBefore = step === 'landed' || step === 'recorded'
    expect(before === yard.tip()).toBe(landedBefore)
    const merges = await Promise.all(items.map(async (item) => (await yard.now(item)).mergeCommit))
    expect(line(yard).slice(-3)).toEqual(merges)
    expect(yard.scratch.sh('git status --porcelain')).toBe('')
    for (const commit of merges)
      expect((await receiptOf(yard, commit)).predicate.batch?.merges).toHaveLength(3)
    for (const item of items) {
      const events = await yard.flow.store.events.ofItem(item, 50)
      expect(events.filter(({ event }) => event.type === 'merge.landed')).toHaveLength(1)
    }
  })

/** As if the daemon had been killed there; a fault would only be a reason to go on alone. */
function broken(world: MergeWorld, step: 'writeNote' | 'land' | 'landed' | 'recorded'): MergeWorld {
  const full = () => Promise.reject(new Error('the disk is full'))
  if (step === 'writeNote' || step === 'land') return { ...world, git: { ...world.git, [step]: full } }
  if (step === 'landed') {
    const land: MergeWorld['git']['land'] = async (...args) => {
      await world.git.land(...args)
      return full()
    }
    return { ...world, git: { ...world.git, land } }
  }
  let recorded = 0
  const advance: MergeWorld['advance'] = (request) => {
    recorded += 1
    return recorded > 1 ? full() : world.advance(request)
  }
  return { ...world, advance }
}

test('what breaks for one item of a batch does not hold up the others', async (context) => {
  const yard = await yardOf(context)
  const items = [await yard.deliver(another()), await yard.deliver(another()), await yard.deliver(another())]
  const poison = (items[0] as Item).headCommit
  const prepareMerge: MergeWorld['git']['prepareMerge'] = (request) =>
    request.head === poison
      ? Promise.reject(new Fault('git', 'unrelated histories'))
      : yard.world.git.prepareMerge(request)
  const world = { ...yard.world, git: { ...yard.world.git, prepareMerge } }
  await runTrain(world, items[2] as Item)
  await runTrain(world, items[1] as Item)
  await expect(runTrain(world, items[0] as Item)).rejects.toThrow('unrelated histories')
  expect(await statesOf(yard, items)).toEqual(['merging', 'done', 'done'])
})

test('one that was taken away while the checks ran does not land with the others', async (context) => {
  const yard = await yardOf(context)
  const items = [await yard.deliver(another()), await yard.deliver(another()), await yard.deliver(another())]
  const gone = items[1] as Item
  let times = 0
  const runTests: MergeWorld['gates']['runTests'] = async (request) => {
    times += 1
    if (times === 1) await yard.flow.store.items.save({ ...(await yard.now(gone)), state: 'escalated' })
    return yard.world.gates.runTests(request)
  }
  await runTrain({ ...yard.world, gates: { ...yard.world.gates, runTests } }, items[0] as Item)
  expect(await statesOf(yard, items)).toEqual(['done', 'escalated', 'done'])
  expect(yard.scratch.sh('git log --format=%P main')).not.toContain(gone.headCommit)
})

for (const how of ['moved', 'delivered again'] as const)
  test(`one that is merged alone and was ${how} while the checks ran does not land`, async (context) => {
    const yard = await yardOf(context, { batch: 1 })
    const item = await yard.deliver(another())
    const before = yard.tip()
    const change = how === 'moved' ? { state: 'escalated' as const } : { headCommit: before }
    const runTests: MergeWorld['gates']['runTests'] = async (request) => {
      await yard.flow.store.items.save({ ...(await yard.now(item)), ...change })
      return yard.world.gates.runTests(request)
    }
    await runTrain({ ...yard.world, gates: { ...yard.world.gates, runTests } }, item)
    expect(await yard.now(item)).toMatchObject({ state: 'merging', ...change })
    expect([yard.tip(), yard.landings]).toEqual([before, []])
  })

test('a small conflict of one that was taken away while the checks ran leaves its branch alone', async (context) => {
  const yard = await yardOf(context, { batch: 1 })
  const item = await yard.deliver({ ...another(), 'lib/same.sh': 'one() { :; }\n' })
  const before = yard.commit({ 'lib/same.sh': 'two() { :; }\n' })
  const runTests: MergeWorld['gates']['runTests'] = async (request) => {
    await yard.flow.store.items.save({ ...(await yard.now(item)), state: 'escalated' })
    return yard.world.gates.runTests(request)
  }
  await runTrain({ ...yard.world, gates: { ...yard.world.gates, runTests } }, item)
  expect(await yard.now(item)).toMatchObject({ state: 'escalated', headCommit: item.headCommit })
  expect(yard.scratch.sh(`git rev-parse ${item.branch}`).trim()).toBe(item.headCommit)
  expect([yard.tip(), yard.landings]).toEqual([before, []])
})
