// merge.approval reviewer: a delivery is read by somebody who has not written it, and only then merged.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import { SessionFile } from '@treadle/contracts/session-file'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type Daemon, treadle } from '../kit/daemon.ts'
import { addOrigin } from '../kit/origin.ts'
import { isAlive, kill, readOrEmpty, waitGone } from '../kit/processes.ts'
import {
  addRepair,
  eventsOf,
  itemNumber,
  mergedOnMain,
  moduleOf,
  told,
  until,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'
import { proxied } from './proxied.ts'
import { answer, approval, criteria, rejection, reviewedPlace } from './reviewed.ts'

const shop = useShops()
const sharedShop = useShops('file')

const NONE = { thoughtId: '', engine: '', fence: 0 }

async function reviewOf({ client }: Daemon, n: number): Promise<Review> {
  const [last] = (await client.listReviews({ query: { issueNumber: n, limit: 1 } })).items
  if (last === undefined) throw new Error(`#${n} has no review`)
  return last
}
function reviewerSession({ paths }: Workspace): SessionFile {
  return SessionFile.parse(JSON.parse(readOrEmpty(`${paths.sessions}/review-agent.session`)))
}

/** What each item of the one crew is answered, delivery by delivery. */
const ANSWERS: Readonly<Record<number, readonly string[]>> = {
  1: [approval(1)],
  2: [rejection(2, 1), approval(2, ['R1.1'])],
  3: [1, 2, 3, 4].map((cycle) => rejection(3, cycle)),
  4: ['Looks fine to me, I suppose.'],
  7: [approval(7)],
}
const TEMPLATE = 'My own words.\nProject to Review: #{projectNumber}\nOn {branchName}: {issueTitle}\n'

let opened: Promise<Daemon> | null = null
/** One crew for most tests; the owner of this one has a template. */
function crew(): Promise<Daemon> {
  opened ??= (async () => {
    const workspace = reviewedPlace(sharedShop, 7)
    addOrigin(workspace)
    const folder = join(workspace.home, '.claude', 'commands')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'review-agent-prompt.md'), TEMPLATE)
    for (const [n, texts] of Object.entries(ANSWERS))
      for (const [at, text] of texts.entries()) answer(workspace, Number(n), at + 1, text)
    const daemon = await up(workspace, 1)
    await idleReviewer(daemon)
    for (const n of [1, 2, 3, 4]) await addRepair(daemon, n, criteria(n))
    await addRepair(daemon, 5)
    // Green where the file that git ignores lies, and only there.
    await addRepair(daemon, 6, {
      ...criteria(6),
      testCommand: 'test -e local.txt && sh test.sh src/module-06.txt',
    })
    return daemon
  })()
  return opened
}

async function idleReviewer({ client, workspace }: Daemon): Promise<void> {
  const idle = await eventually('an idle reviewer', async () => {
    const { items } = await client.listAgents()
    return items.find(
      ({ id, status, engine }) => id === 'review-agent' && status === 'idle' && engine !== null,
    )
  })
  expect(idle.engine).toBe('command')
  expect(reviewerSession(workspace)).toMatchObject({ agentId: 'review-agent', status: 'idle' })
}

verifies(
  [
    'ORCH-S1-2',
    'ORCH-3.1-1',
    'ORCH-3.1-7',
    'AC-3.1.a',
    'AC-3.1.b',
    'ORCH-3.2-5',
    'AC-3.2.a',
    'ORCH-S4-7',
    'ORCH-3.4-1',
    'ORCH-S5-5',
  ],
  'the reviewer reads a delivery with its criteria and checks, approves it, and changes nothing by itself',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const done = await until(daemon, 1, 'done', 'escalated')
    expect(done).toMatchObject({ state: 'done', approval: { kind: 'reviewer', by: 'review-agent' } })
    expect(mergedOnMain(workspace)[0]).toBe('1/1')
    // What the reviewer did to its copy, and tried to do to the repository, is nowhere.
    expect(workspace.git('show', `main:${moduleOf(1)}`)).toBe('module 1\nstate: right')
    // Not --all: that reads the heads of worktrees, too, and one that is being made has none yet.
    expect(workspace.git('log', '--glob=refs/*', '--format=%s')).not.toContain('mine')
    const session = SessionFile.parse(
      JSON.parse(readFileSync(join(workspace.home, 'session-1-1.json'), 'utf8')),
    )
    expect(session).toMatchObject({ agentId: 'review-agent', status: 'reviewing', currentProjectNumber: 1 })
    const prompt = readFileSync(join(workspace.home, 'review-1-1.md'), 'utf8')
    for (const part of [
      'My own words.',
      'AC-1.1.a: module 1 says right',
      '+state: right',
      'tests_pass (tests): passed',
      'agent-1/project-1',
    ])
      expect(prompt).toContain(part)
    // The files, and not how they came about.
    expect(readFileSync(join(workspace.home, 'history-1'), 'utf8')).toContain('not a git repository')
    const review = await reviewOf(daemon, 1)
    expect(review).toMatchObject({
      status: 'approved',
      decidedBy: 'review-agent',
      completedByAgentId: 'agent-1',
      criteria: [{ id: 'AC-1.1.a', status: 'met', note: `${moduleOf(1)}:2 \`state: right\`` }],
      checkedTree: workspace.git('rev-parse', `${done.headCommit}^{tree}`),
    })
    const spent = (await eventsOf(daemon, 1)).filter(({ agentId }) => agentId === 'review-agent')
    expect(spent.flatMap(({ event }) => (event.type === 'cost.logged' ? [event.costUSD] : []))).toEqual([
      0.25,
    ])
  },
)

verifies(
  ['ORCH-3.5-1', 'ORCH-3.5-2', 'ORCH-3.5-3', 'AC-3.5.b', 'AC-3.5.c', 'ORCH-S3-4'],
  'a rejected delivery goes back with the feedback, which the next build reads, and is approved then',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const done = await until(daemon, 2, 'done', 'escalated')
    expect(done).toMatchObject({ state: 'done', reviewCycles: 1 })
    const pushed = workspace.git('ls-remote', 'origin', `refs/heads/${done.branch}`)
    expect(pushed.split('\t')[0]).toBe(done.headCommit)
    const { items } = await daemon.client.listReviews({ query: { issueNumber: 2 } })
    expect(items.map(({ cycle, status }) => [cycle, status])).toEqual([
      [2, 'approved'],
      [1, 'rejected'],
    ])
    const feedback = items[1]?.feedback ?? ''
    expect(feedback).toContain('## Review Feedback - Cycle 1/3')
    expect(feedback).toContain('1. Say it louder, time 1')
    const events = await eventsOf(daemon, 2)
    const sent = events.find(({ event }) => event.type === 'review.rejected')
    expect(sent?.state).toBe('rework')
    expect(events.find(({ event }) => event.type === 'item.commented')?.event).toMatchObject({
      text: feedback,
    })
    const builds = readFileSync(join(workspace.home, 'build-2.md'), 'utf8').split('/project-start 2').slice(1)
    expect(builds).toHaveLength(2)
    expect(builds[0]).not.toContain('Say it louder')
    expect(builds[1]).toContain('- [ ] Say it louder, time 1')
    expect(readFileSync(join(workspace.home, 'review-2-2.md'), 'utf8')).toContain('Say it louder, time 1')
  },
)

verifies(
  ['ORCH-3.5-4', 'AC-3.5.f'],
  'the third rejection is the last: a person gets both views, and the item its label',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const given = await until(daemon, 3, 'escalated', 'done')
    expect(given).toMatchObject({
      state: 'escalated',
      needsHuman: true,
      reviewCycles: 3,
      labels: ['review-escalation'],
    })
    const events = await eventsOf(daemon, 3)
    const comments = events.flatMap(({ event }) => (event.type === 'item.commented' ? [event.text] : []))
    const views = comments.at(-1) ?? ''
    expect(views).toContain('@review-escalation #3')
    for (const cycle of [1, 2, 3]) expect(views).toContain(`Say it louder, time ${cycle}`)
    expect(views).toContain('I made module 3 right.')
    const notices = events.flatMap(({ event }) => (event.type === 'owner.notified' ? [event] : []))
    expect(notices).toMatchObject([{ about: 'review' }])
    expect(readOrEmpty(join(workspace.home, 'reviews-of-3')).trim().split('\n')).toHaveLength(3)
    expect(mergedOnMain(workspace)).not.toContain('1/3')
  },
)

verifies(
  'ORCH-3.3-3',
  'an answer that cannot be read, and an item without criteria, are left to a person, and nothing is lost',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const asked = await eventually('a person who is asked', async () => {
      const item = await itemNumber(daemon, 4)
      return item.needsHuman ? item : undefined
    })
    expect(asked).toMatchObject({ state: 'in_review', reviewCycles: 0 })
    expect(asked.reason).toContain("the reviewer's answer cannot be used")
    const shown = await told<ReviewMaterial>(workspace, 'review', 'show', '4')
    expect(shown.review).toMatchObject({
      status: 'pending',
      waitsFor: 'person',
      answer: 'Looks fine to me, I suppose.',
    })
    const without = await eventually('a person for #5', async () => {
      const item = await itemNumber(daemon, 5)
      return item.needsHuman ? item : undefined
    })
    expect(without.reason).toContain('no acceptance criteria')
    expect(readOrEmpty(join(workspace.home, 'reviews-of-5'))).toBe('')
    const notices = (await eventsOf(daemon, 5)).filter(({ event }) => event.type === 'owner.notified')
    expect(notices).toHaveLength(1)
    const listed = await treadle(workspace, ['review'])
    expect(listed.stdout).toContain('treadle review show 4')
    expect(listed.stdout).toContain('0 of 1 met')
    expect((await told<Item>(workspace, 'review', 'approve', '4')).state).toBe('merging')
    expect(await until(daemon, 4, 'done')).toMatchObject({ approval: { kind: 'human' } })
    expect(await reviewOf(daemon, 4)).toMatchObject({ status: 'approved' })
  },
)

verifies(
  ['AC-3.4.e', 'ORCH-3.4-2', 'ORCH-3.4-6', 'AC-3.4.a'],
  'what fails in a clean checkout is rejected at once with its output, and no reviewer is asked',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    const given = await until(daemon, 6, 'escalated', 'done')
    expect(given).toMatchObject({ state: 'escalated', reviewCycles: 3 })
    const { items } = await daemon.client.listReviews({ query: { issueNumber: 6 } })
    expect(items.map(({ status, decidedBy }) => [status, decidedBy])).toEqual([
      ['rejected', 'checks'],
      ['rejected', 'checks'],
      ['rejected', 'checks'],
    ])
    expect(items[0]?.feedback).toContain('tests failed')
    expect(items[0]?.feedback).toContain('test -e local.txt')
    expect(readOrEmpty(join(workspace.home, 'reviews-of-6'))).toBe('')
  },
)

verifies(
  ['AC-3.1.c', 'ORCH-3.1-8'],
  'a reviewer that is killed comes back and reviews once more; stopped and started again it goes on; without a template it says so',
  async () => {
    const workspace = reviewedPlace(shop, 1)
    writeFileSync(join(workspace.home, 'hold-1'), '')
    answer(workspace, 1, 1, approval(1))
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1, criteria(1))
    await eventually('the first reading', () =>
      readOrEmpty(join(workspace.home, 'reviews-of-1')) === '' ? undefined : true,
    )
    const reviewer = async () =>
      (await daemon.client.listAgents()).items.find(({ id }) => id === 'review-agent')
    const first = await reviewer()
    expect(first).toMatchObject({ status: 'reviewing' })
    const pid = first?.pid ?? 0
    const { thoughtId, fence } = (await reviewOf(daemon, 1)).judgement ?? NONE
    kill(pid)
    await waitGone(pid)
    await eventually('a second reading', () =>
      readOrEmpty(join(workspace.home, 'reviews-of-1')).trim().split('\n').length === 2 ? true : undefined,
    )
    const held = await reviewOf(daemon, 1)
    expect(held).toMatchObject({
      status: 'in_review',
      claimedByAgentId: 'review-agent',
      judgement: { thoughtId, fence: fence + 1 },
    })
    // The answer of the one that was killed comes too late.
    const end = { is: 'answered', text: approval(1), structured: null, model: null } as const
    const claimKey = readFileSync(join(workspace.paths.spool, 'review-agent.key'), 'utf8').trim()
    const late = { agentId: 'review-agent', fence, claimKey, end }
    await expect(
      daemon.client.answerThought({ params: { id: thoughtId }, body: late }),
    ).rejects.toMatchObject({
      code: 'fenced',
    })
    const again = await reviewer()
    await told(workspace, 'agent', 'stop', 'review-agent')
    expect(isAlive(again?.pid ?? 0)).toBe(false)
    expect(await reviewOf(daemon, 1)).toMatchObject({ status: 'pending', waitsFor: 'reviewer' })
    expect(await reviewer()).toMatchObject({ status: 'stopped' })
    writeFileSync(join(workspace.home, 'go-1'), '')
    await told(workspace, 'agent', 'start', 'review-agent')
    expect(await until(daemon, 1, 'done', 'escalated')).toMatchObject({ state: 'done' })
    const approvals = (await eventsOf(daemon, 1)).filter(({ event }) => event.type === 'review.approved')
    expect(approvals).toHaveLength(1)
    expect(readFileSync(`${workspace.paths.logs}/review-agent.log`, 'utf8')).toContain(
      'the built-in one is used',
    )
    await eventually('an idle reviewer', () =>
      reviewerSession(workspace).status === 'idle' ? true : undefined,
    )
    expect(await reviewer()).toMatchObject({ tasksCompleted: 1 })
  },
)

verifies(
  ['ORCH-3.1-2', 'ORCH-3.2-7', 'AC-3.2.d'],
  'with nothing to review the reviewer is idle and asks once a minute; it can be paused, and takes no items',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    // The command line sends its key to no port but the daemon's own, which the file does not name from here on.
    const want = (order: 'restart' | 'pause' | 'resume') =>
      daemon.client.wantAgent({ params: { id: 'review-agent', order }, body: {} })
    const seen = await proxied(daemon)
    await want('restart')
    await eventually('a question', () => (seen.some((url) => url === QUESTION) ? true : undefined))
    await sleep(1_500)
    // The very first is answered at once: whatever an earlier process has left is known then.
    expect(seen.filter(isNext)).toEqual(['/api/agents/review-agent/next?waitMs=1', QUESTION])
    expect(reviewerSession(workspace)).toMatchObject({ status: 'idle', currentProjectNumber: null })
    expect(await want('pause')).toMatchObject({ status: 'paused' })
    await eventually('the pause in its file', () =>
      reviewerSession(workspace).status === 'paused' ? true : undefined,
    )
    await want('resume')
    await eventually('an idle reviewer', () =>
      reviewerSession(workspace).status === 'idle' ? true : undefined,
    )
    const params = { projectNumber: 1, issueNumber: 5 }
    const claim = daemon.client.claimItem({ params, body: { agentId: 'review-agent' } })
    await expect(claim).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('builds nothing'),
    })
  },
)

test('a reviewer that is killed after its model has answered tells the answer, and the model is not asked again', async () => {
  const daemon = await crew()
  const { workspace } = daemon
  let isHeld = true
  const isAnswer = (url: string) => /\/api\/thoughts\/[^/]+\/answer$/.test(url)
  const seen = await proxied(daemon, (url) => isHeld && isAnswer(url))
  await daemon.client.wantAgent({ params: { id: 'review-agent', order: 'restart' }, body: {} })
  await addRepair(daemon, 7, criteria(7))
  await eventually('an answer on its way', () => (seen.some(isAnswer) ? true : undefined))
  const { items } = await daemon.client.listAgents()
  const pid = items.find(({ id }) => id === 'review-agent')?.pid ?? 0
  kill(pid)
  await waitGone(pid)
  isHeld = false
  const done = await until(daemon, 7, 'done', 'escalated')
  expect(done).toMatchObject({ state: 'done', approval: { kind: 'reviewer', by: 'review-agent' } })
  expect(readOrEmpty(join(workspace.home, 'reviews-of-7'))).toBe('once\n')
  const { judgement } = await reviewOf(daemon, 7)
  expect(judgement).toMatchObject({ fence: 1 })
  // What it cost is of the item, and of the thought.
  const params = { id: judgement?.thoughtId ?? '' }
  expect(await daemon.client.showThought({ params })).toMatchObject({ status: 'done', costUSD: 0.25 })
})

const QUESTION = '/api/agents/review-agent/next?waitMs=60000'
const isNext = (url: string) => url.startsWith('/api/agents/review-agent/next')
