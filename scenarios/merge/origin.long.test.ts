// Merges that go to origin, and merges that are signed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Item } from '@treadle/contracts/item'
import type { MergeWorld } from '@treadle/flow/merge/merge-world'
import { runTrain } from '@treadle/flow/merge/train.run'
import { commitOn } from '@treadle/git/scratch-repository'
import { notRun } from '@treadle/requirements/not-run'
import { useStore } from '@treadle/store/testing/both-drivers'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { innocent } from './planted.ts'
import { openYard, type Yard } from './yard.ts'

const open = useStore('embedded')
let numbers = 0
const another = () => {
  numbers += 1
  return innocent(2_000 + numbers)
}

async function yardOf(context: TestContext, merge: object): Promise<Yard & { at(ref: string): string }> {
  const yard = await openYard(await open(context), { merge: { batch: 4, ...merge } })
  onTestFinished(yard.remove)
  const { sh, dir } = yard.scratch
  const origin = join(dir, 'origin')
  sh(`git clone -q --bare . '${origin}'; git remote add origin '${origin}'; git fetch -q origin`)
  sh(`git -C '${origin}' config receive.denyNonFastForwards true`)
  return { ...yard, at: (ref) => sh(`git -C '${origin}' rev-parse ${ref}`).trim() }
}
const told = async (yard: Yard, item: Item) =>
  (await yard.flow.store.events.ofItem(item, 50)).flatMap(({ event }) =>
    event.type === 'owner.notified' ? [[event.about, event.text]] : [],
  )

test('with merge.push a merge and its receipt go to origin; without it origin is left alone', async (context) => {
  const yard = await yardOf(context, { push: true })
  const items = [await yard.deliver(another()), await yard.deliver(another())]
  await runTrain(yard.world, items[0] as Item)
  expect(yard.at('main')).toBe(yard.tip())
  const notes = yard.scratch.sh('git rev-parse refs/notes/treadle').trim()
  expect(yard.at('refs/notes/treadle')).toBe(notes)
  yard.flow.settings = { ...yard.flow.settings, merge: { ...yard.flow.settings.merge, push: false } }
  const before = yard.at('main')
  const third = await yard.deliver(another())
  await runTrain(yard.world, third)
  expect((await yard.now(third)).state).toBe('done')
  expect(yard.at('main')).toBe(before)
})

test('an origin that moves while the checks run is not overwritten: the merge is made and tested again on what it has', async (context) => {
  const yard = await yardOf(context, { push: true })
  const item = await yard.deliver(another())
  const foreign = commitOn(yard.scratch, 'main', { 'foreign.txt': 'foreign\n' })
  let runs = 0
  const runTests: MergeWorld['gates']['runTests'] = async (request) => {
    runs += 1
    if (runs === 1) yard.scratch.sh(`git push -q origin ${foreign}:refs/heads/main`)
    return yard.world.gates.runTests(request)
  }
  await runTrain({ ...yard.world, gates: { ...yard.world.gates, runTests } }, item)
  expect((await yard.now(item)).state).toBe('done')
  expect(runs).toBe(2)
  expect(yard.at('main')).toBe(yard.tip())
  expect(yard.scratch.sh('git show main:foreign.txt')).toBe('foreign\n')
  expect(await told(yard, item)).toEqual([])
})

test('a batch that was pushed by a daemon that died before its own swap is found, and nothing is merged twice', async (context) => {
  const yard = await yardOf(context, { push: true })
  const items = [await yard.deliver(another()), await yard.deliver(another())]
  const land = () => Promise.reject(new Error('killed'))
  const dying = { ...yard.world, git: { ...yard.world.git, land } }
  await expect(runTrain(dying, items[0] as Item)).rejects.toThrow('killed')
  const [before, pushed] = [yard.tip(), yard.at('main')]
  expect(pushed).not.toBe(before)
  // One by one now, and still the target only ever stands where the checks have run.
  yard.flow.settings = { ...yard.flow.settings, merge: { ...yard.flow.settings.merge, batch: 1 } }
  for (const item of items) await runTrain(yard.world, item)
  expect(yard.landings).toEqual([pushed])
  expect([yard.tip(), yard.at('main')]).toEqual([pushed, pushed])
  const merges = await Promise.all(items.map(async (item) => (await yard.now(item)).mergeCommit))
  expect(merges).toEqual([yard.scratch.sh('git rev-parse main^1').trim(), pushed])
})

test('an origin that is away does not hold a merge up, and the owner is told', async (context) => {
  const yard = await yardOf(context, { push: true })
  const item = await yard.deliver(another())
  yard.scratch.sh('mv ../origin ../away')
  await runTrain(yard.world, item)
  expect((await yard.now(item)).state).toBe('done')
  expect(await told(yard, item)).toEqual([['push', expect.stringContaining('could not be pushed')]])
})

test('a signing key signs every merge of a batch; one that cannot be used is told, or holds the merge up', async (context) => {
  const yard = await yardOf(context, {})
  const { sh, dir, env } = yard.scratch
  const key = join(dir, 'key')
  const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key], { env })
  if (made.status !== 0) notRun(context, 'there is no ssh-keygen', 'apt install openssh-client')
  sh(`git config gpg.format ssh; git config user.signingKey '${key}'`)
  const items = [await yard.deliver(another()), await yard.deliver(another())]
  await runTrain(yard.world, items[0] as Item)
  for (const item of items) {
    const { mergeCommit } = await yard.now(item)
    expect(sh(`git cat-file commit ${mergeCommit}`)).toContain('-----BEGIN SSH SIGNATURE-----')
    expect(await told(yard, item)).toEqual([])
  }
  sh(`rm '${key}'`)
  const third = await yard.deliver(another())
  yard.flow.settings = { ...yard.flow.settings, merge: { ...yard.flow.settings.merge, sign: 'required' } }
  const before = yard.tip()
  await expect(runTrain(yard.world, third)).rejects.toThrow('could not be signed')
  expect([yard.tip(), (await yard.now(third)).state]).toEqual([before, 'merging'])
  yard.flow.settings = { ...yard.flow.settings, merge: { ...yard.flow.settings.merge, sign: 'auto' } }
  await runTrain(yard.world, third)
  expect((await yard.now(third)).state).toBe('done')
  expect(await told(yard, third)).toEqual([['signing', expect.stringContaining('is not signed')]])
})

test('what is committed here while a merge onto the newer origin is tested is not lost', async (context) => {
  const yard = await yardOf(context, {})
  const item = await yard.deliver(another())
  const foreign = commitOn(yard.scratch, 'main', { 'foreign.txt': 'foreign\n' })
  yard.scratch.sh(`git push -q origin ${foreign}:refs/heads/main`)
  let runs = 0
  const runTests: MergeWorld['gates']['runTests'] = async (request) => {
    runs += 1
    if (runs === 1) yard.commit({ 'mine.txt': 'mine\n' })
    return yard.world.gates.runTests(request)
  }
  await runTrain({ ...yard.world, gates: { ...yard.world.gates, runTests } }, item)
  expect((await yard.now(item)).state).toBe('done')
  expect(yard.scratch.sh('git show main:mine.txt')).toBe('mine\n')
})
