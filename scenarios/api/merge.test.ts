import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@treadle/contracts/client'
import type { MergeApproval } from '@treadle/contracts/config/merge'
import type { Item, ItemState } from '@treadle/contracts/item'
import { beforeEach, expect, test } from 'vitest'
import { run } from '../kit/command.ts'
import type { Daemon } from '../kit/daemon.ts'
import {
  begin,
  build,
  commitOnBranch,
  deliver,
  delivery,
  itemOf,
  path,
  say,
  take,
  type Work,
} from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { eventually } from '../kit/wait.ts'

/** Red as soon as there is a file named bad.txt. */
const TEST_SCRIPT = `echo 'TAP version 13'
echo '1..1'
if [ -e bad.txt ]; then echo 'not ok 1 - nothing is bad'; exit 1; fi
echo 'ok 1 - nothing is bad'
`
/** Red until there is a file named by its argument. */
const NEED_SCRIPT = `echo 'TAP version 13'
echo '1..1'
if [ ! -e "$1" ]; then echo "not ok 1 - there is $1"; exit 1; fi
echo "ok 1 - there is $1"
`
const tests = { command: 'sh test.sh' }
// Quick sweeps, so that whatever the supervisor might do wrong it does within the test.
const limits = { sweepMs: 200 }
const open = useInProcess('any', {
  settings: { tests, limits, merge: { approval: 'human' } },
  files: {
    'test.sh': TEST_SCRIPT,
    'need.sh': NEED_SCRIPT,
    'shared.txt': 'one\n',
    'large.sh': `echo ${'x'.repeat(100)}\n`,
  },
})
let daemon: Daemon
beforeEach(async (context) => {
  daemon = await open(context)
  await setApproval('human')
})

async function setApproval(approval: MergeApproval): Promise<void> {
  daemon.workspace.setConfig({ tests, limits, merge: { approval } })
  await eventually(`merge.approval ${approval}`, async () =>
    (await daemon.client.workspace()).config.merge.approval === approval ? true : undefined,
  )
}

const git = (...args: string[]) => daemon.workspace.git(...args)
const tip = () => git('rev-parse', 'main')
const approve = ({ ref }: Pick<Work, 'ref'>, by = 'Ada') =>
  daemon.client.approveItem({ params: path(ref), body: { by } })

function reaches(work: Work, state: ItemState): Promise<Item> {
  return eventually(`#${work.ref.number} ${state}`, async () => {
    const item = await itemOf(work)
    return item.state === state ? item : undefined
  })
}

test('human: green gates wait in review until somebody approves, and then it is merged', async () => {
  const before = tip()
  const work = await begin(daemon, { title: 'Greet people' })
  const head = await deliver(daemon.workspace, work, { 'greeting.txt': 'hello\n' })
  expect(await itemOf(work)).toMatchObject({
    state: 'in_review',
    needsHuman: true,
    approval: null,
    headCommit: head,
  })
  // Time for the review job and for several sweeps.
  await sleep(4 * limits.sweepMs)
  expect(await itemOf(work)).toMatchObject({ state: 'in_review', approval: null, mergeCommit: null })
  expect(tip()).toBe(before)

  expect(await approve(work)).toMatchObject({ state: 'merging', approval: { kind: 'human', by: 'Ada' } })
  const item = await reaches(work, 'done')
  expect(item).toMatchObject({ status: 'done', approval: { kind: 'human', by: 'Ada' }, mergeCommit: tip() })
  expect(git('rev-list', '--parents', '--max-count=1', 'main').split(' ')).toEqual([tip(), before, head])
  const message = git('log', '--max-count=1', '--format=%B', 'main')
  expect(message).toContain('Greet people')
  expect(message).toContain('Approved-by: human Ada')
  // Ada did not wait for the checks.
  expect(message).toContain('Evidence: unproven')
  expect(message).toContain(`Run: ${work.claim.run.id}`)
  expect(git('show', 'main:greeting.txt')).toBe('hello')
  expect(git('status', '--porcelain', '--untracked-files=no')).not.toContain('greeting.txt')
  const { events } = await daemon.client.showItem({ params: path(work.ref) })
  expect(events.map(({ event }) => event.type).slice(-2)).toEqual(['review.approved', 'merge.landed'])
  await expect(approve(work)).rejects.toMatchObject({
    status: 409,
    code: 'refused',
    details: { state: 'done' },
  })
  await expect(daemon.client.withdrawItem({ params: path(work.ref), body: {} })).rejects.toMatchObject({
    code: 'refused',
  })
})

test('two that are approved at once land one after the other', async () => {
  const before = tip()
  const works = [await begin(daemon), await begin(daemon)]
  for (const work of works) await deliver(daemon.workspace, work, { [`part-${work.ref.number}.txt`]: 'x\n' })
  await Promise.all(works.map((work) => approve(work)))
  const landed = await Promise.all(works.map(async (work) => (await reaches(work, 'done')).mergeCommit))
  expect(git('rev-list', '--first-parent', `${before}..main`).split('\n').toSorted()).toEqual(
    landed.toSorted(),
  )
})

test('what is red when merged is not landed, approval or not', async () => {
  const before = tip()
  const work = await begin(daemon)
  await deliver(daemon.workspace, work, { 'bad.txt': 'x\n' })
  await approve(work)
  const item = await reaches(work, 'rework')
  expect(item).toMatchObject({ needsRework: true, approval: null, mergeCommit: null, reviewCycles: 1 })
  expect(item.reason).toContain('nothing is bad')
  expect(tip()).toBe(before)
})

test('what conflicts is not landed and asks a person', async () => {
  const works = [await begin(daemon), await begin(daemon)]
  for (const work of works)
    await deliver(daemon.workspace, work, { 'shared.txt': `two of ${work.ref.number}\n` })
  const [first, second] = works as [Work, Work]
  await approve(first)
  await reaches(first, 'done')
  const before = tip()
  await approve(second)
  const item = await reaches(second, 'conflicted')
  expect(item).toMatchObject({ needsHuman: true, mergeCommit: null })
  expect(item.reason).toContain('shared.txt')
  expect(tip()).toBe(before)
})

test('never: green gates end in done without a merge', async () => {
  await setApproval('never')
  const before = tip()
  const work = await begin(daemon)
  await build(work)
  const head = commitOnBranch(daemon.workspace, work, { 'never.txt': 'x\n' })
  expect(await say(work, delivery(work, head))).toEqual({ is: 'advanced', state: 'merging' })
  expect(await reaches(work, 'done')).toMatchObject({
    state: 'done',
    approval: null,
    mergeCommit: null,
    headCommit: head,
  })
  expect(tip()).toBe(before)
  await expect(approve(work)).rejects.toMatchObject({ status: 409, code: 'refused' })
})

test('checks: the standing order approves, and is recorded as what it is', async () => {
  await setApproval('checks')
  const work = await begin(daemon, { testCommand: 'sh need.sh standing.sh' })
  await deliver(daemon.workspace, work, { 'standing.sh': 'x\n' })
  const item = await reaches(work, 'done')
  expect(item.approval).toMatchObject({ kind: 'standing_order', by: 'merge.approval=checks' })
  expect(item.evidence).toMatchObject({ level: 'proven' })
  expect(item.mergeCommit).toBe(tip())
})

test('checks: what nothing proves waits for a person, who sees why, and the merge says so', async () => {
  await setApproval('checks')
  const before = tip()
  const work = await begin(daemon)
  await deliver(daemon.workspace, work, { 'unproven.sh': 'x\n' })
  const waiting = await eventually('a word about it', async () => {
    const item = await itemOf(work)
    return item.reason === null ? undefined : item
  })
  const why = expect.stringContaining('no test fails without this change')
  expect(waiting).toMatchObject({
    state: 'in_review',
    needsHuman: true,
    evidence: { level: 'unproven', why },
  })
  expect(waiting.reason).toContain('it is unproven: ')
  expect(tip()).toBe(before)
  await approve(work)
  expect(await reaches(work, 'done')).toMatchObject({ evidence: { level: 'unproven' } })
  expect(git('log', '--max-count=1', '--format=%B', 'main')).toContain('Evidence: unproven')
})

test('checks: a measure that improved proves what no test can, and is told wherever the item is', async () => {
  await setApproval('checks')
  const measure = ['--measure', 'wc -c < large.sh', '--better', 'lower']
  const added = await run(daemon.workspace, ['add', 'Make it smaller', ...measure, '--json'])
  const work = await take(daemon, JSON.parse(added.stdout))
  await deliver(daemon.workspace, work, { 'large.sh': 'echo x\n' })
  const item = await reaches(work, 'done')
  expect(item).toMatchObject({
    measure: { command: 'wc -c < large.sh', better: 'lower' },
    approval: { kind: 'standing_order' },
    evidence: { level: 'proven' },
  })
  expect(item.evidence?.why).toMatch(/^the measure was 106 before and 7 after \(lower is better\)/)
  const shown = await run(daemon.workspace, ['show', String(work.ref.number)])
  expect(shown.stdout).toMatch(/measure +wc -c < large\.sh \(lower is better\)/)
  expect(await run(daemon.workspace, ['add', 'x', '--better', 'lower'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --measure'),
  })
})

test('checks: a command that ran no tests has not run; a person may merge it', async () => {
  await setApproval('checks')
  const before = tip()
  const work = await begin(daemon, { testCommand: "printf 'TAP version 13\\n1..0\\n'" })
  await deliver(daemon.workspace, work, { 'untested.sh': 'x\n' })
  const waiting = await eventually('a word about it', async () => {
    const item = await itemOf(work)
    return item.reason === null ? undefined : item
  })
  expect(waiting).toMatchObject({
    state: 'in_review',
    needsHuman: true,
    approval: null,
    evidence: { level: 'unproven', why: 'the tests did not run: the command ran no tests' },
  })
  expect(tip()).toBe(before)
  await approve(work)
  expect(await reaches(work, 'done')).toMatchObject({ approval: { kind: 'human' }, mergeCommit: tip() })
})

test('nothing reached the branch without a recorded approval', async () => {
  const rejected = await begin(daemon)
  await deliver(daemon.workspace, rejected, { 'rejected.txt': 'x\n' })
  await daemon.client.rejectItem({ params: path(rejected.ref), body: { feedback: 'no' } })
  const withdrawn = await begin(daemon)
  await deliver(daemon.workspace, withdrawn, { 'withdrawn.txt': 'x\n' })
  await daemon.client.withdrawItem({ params: path(withdrawn.ref), body: {} })
  const waiting = await begin(daemon)
  await deliver(daemon.workspace, waiting, { 'waiting.txt': 'x\n' })
  await sleep(3 * limits.sweepMs)
  const { items } = await daemon.client.listItems()
  const approved = items.filter(({ approval }) => approval !== null).map(({ mergeCommit }) => mergeCommit)
  const start = git('rev-list', '--max-parents=0', 'main')
  const landed = git('rev-list', '--first-parent', `${start}..main`).split('\n')
  expect(landed.length).toBeGreaterThan(0)
  for (const commit of landed) expect(approved).toContain(commit)
  expect((await itemOf(waiting)).state).toBe('in_review')
})

test('what has a branch of its own starts from it and is merged into it; the others see nothing of it', async () => {
  const { client } = daemon
  const before = tip()
  git('branch', 'build/list', 'main')
  const first = await begin(daemon, { title: 'First part', target: 'build/list' })
  expect((await itemOf(first)).target).toBe('build/list')
  await deliver(daemon.workspace, first, { 'part.txt': 'one\n' })
  await approve(first)
  const merged = await reaches(first, 'done')
  expect(git('rev-parse', 'build/list')).toBe(merged.mergeCommit)
  expect(tip()).toBe(before)

  // The second begins on what the first has left, and its delivery is only its own.
  const second = await begin(daemon, { title: 'Second part', target: 'build/list' })
  await deliver(daemon.workspace, second, { 'part.txt': 'two\n' })
  const { items } = await client.listReviews({ query: { issueNumber: second.ref.number } })
  const params = { id: items[0]?.id ?? 0 }
  expect((await client.showChange({ params })).base).toBe(merged.mergeCommit)
  expect(await client.showReview({ params })).toMatchObject({
    base: merged.mergeCommit,
    changedFiles: ['part.txt'],
  })
  // Somebody else is in the way on the branch, and it is said of that branch.
  const rival = await begin(daemon, { title: 'Other part', target: 'build/list' })
  await deliver(daemon.workspace, rival, { 'part.txt': 'three\n' })
  await approve(second)
  await reaches(second, 'done')
  await approve(rival)
  expect((await reaches(rival, 'conflicted')).reason).toContain('build/list')
  expect(git('show', 'build/list:part.txt')).toBe('two')

  // Taken back where it was merged.
  const { item: revert } = await client.revertItem({ params: path(second.ref), body: { by: 'Ada' } })
  expect(revert.target).toBe('build/list')
  expect(tip()).toBe(before)
})

test('a branch that is not there, that is no branch or that the crew names is refused, and nothing is added', async () => {
  const { client } = daemon
  const count = async () => (await client.listItems({ query: {} })).items.length
  const had = await count()
  const add = (target: string) => client.addItem({ body: { title: 'x', target } })
  await expect(add('build/none')).rejects.toThrow('there is no branch build/none')
  for (const name of ['../x', '-f', 'a..b', 'refs/heads/main', 'HEAD', 'agent-1/project-1', 'x.lock', ' '])
    await expect(add(name)).rejects.toMatchObject({ status: 400 })
  const crew = createClient({ url: daemon.url, token: daemon.token })
  await expect(crew.addItem({ body: { title: 'x', target: 'main' } })).rejects.toMatchObject({ status: 403 })
  expect(await count()).toBe(had)
})
