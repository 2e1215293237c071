// Changes that do not go together: seen before the merge, tried when small, left to a person otherwise, and resolved.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEvent } from '@treadle/contracts/event'
import { branchName } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test, vi } from 'vitest'
import { type Daemon, stopDaemon } from '../kit/daemon.ts'
import { addOrigin } from '../kit/origin.ts'
import {
  type Attempts,
  addRepair,
  eventsOf,
  hold,
  letGo,
  moduleOf,
  repair,
  type Step,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const sharedShop = useShops('file')
// Crews of real processes: a busy machine must not fail them.
vi.setConfig({ testTimeout: 400_000 })
const NOTES = 'notes.txt'
const note = (text: string): Step => ({ write: { file: NOTES, text } })
const AT_WORK = 'notes/at-work.txt'

/** Repairs its module and writes the same files as the others; waits in between until the test lets it go. */
function together(n: number, ...steps: Step[]): Attempts {
  return [
    [
      { write: { file: AT_WORK, text: 'half way\n' } },
      hold(`go-${n}`),
      { delete: { file: AT_WORK } },
      repair(n),
      ...steps,
    ],
  ]
}

/** Somebody else commits on main, at origin or here. */
function commitElsewhere(workspace: Workspace, files: Record<string, string>, push: boolean): string {
  const { git, home } = workspace
  const place = join(home, `elsewhere-${readdirSync(home).length}`)
  git('worktree', 'add', '--quiet', '--detach', place, push ? 'origin/main' : 'main')
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, file)), { recursive: true })
    writeFileSync(join(place, file), text)
  }
  git('-C', place, 'add', '--all')
  git('-C', place, 'commit', '--quiet', '--message', 'from elsewhere')
  const commit = git('-C', place, 'rev-parse', 'HEAD')
  if (push) git('-C', place, 'push', '--quiet', 'origin', 'HEAD:refs/heads/main')
  git('worktree', 'remove', '--force', place)
  return commit
}

const never = { merge: { approval: 'never', target: 'main' } } as const
const ofType = (events: StoredEvent[], type: string) => events.filter(({ event }) => event.type === type)

let opened: Promise<Daemon> | undefined
/** One agent for the tests in which nothing is merged; they run in their order, each with the next items. */
function crew(): Promise<Daemon> {
  const quick = [1, 2].map((n) => [[repair(n)]])
  const held = [together(3), together(4, note('mine\n')), together(5, note('mine\n'))]
  const settings = { ...never, limits: { pushRetries: 1, reviewCycles: 2 } }
  opened ??= up(sharedShop({ scripts: [...quick, ...held], settings }), 1)
  return opened
}
let origin: ReturnType<typeof addOrigin> | undefined
/** The same crew, with an origin that has its main. */
async function crewWithOrigin() {
  const daemon = await crew()
  if (origin === undefined && daemon.workspace.git('remote') !== '')
    daemon.workspace.git('remote', 'remove', 'origin')
  origin ??= addOrigin(daemon.workspace)
  return { daemon, workspace: daemon.workspace, atOrigin: origin }
}

const pushTitle = 'a push that fails for good is told, the item comes back, and its change is not made anew'
verifies(['ORCH-2.2-10', 'ORCH-2.2-11'], pushTitle, async () => {
  const daemon = await crew()
  const { workspace } = daemon
  await addRepair(daemon, 1)
  expect(await until(daemon, 1, 'done')).toMatchObject({ reason: null })
  const local = ofType(await eventsOf(daemon, 1), 'merge.delivered')[0]
  expect(local?.event).toMatchObject({ pushed: false, note: 'no remote', branch: 'agent-1/project-1' })
  const nowhere = join(workspace.home, 'nowhere')
  workspace.git('remote', 'add', 'origin', nowhere)
  await addRepair(daemon, 2)
  const item = await until(daemon, 2, 'escalated')
  expect(item).toMatchObject({ needsHuman: true, claimedByAgentId: null })
  expect(item.reason).toMatch(/^push failed: /)
  const events = await eventsOf(daemon, 2)
  // Sent back once, tried again by the next claim, and then it is a person's.
  expect(ofType(events, 'claim.taken')).toHaveLength(2)
  expect(ofType(events, 'merge.delivered')).toEqual([])
  expect(ofType(events, 'owner.notified')).toMatchObject(Array(2).fill({ event: { about: 'push' } }))
  expect(ofType(events, 'build.finished')[1]?.event).toMatchObject({
    summary: expect.stringContaining('could not be pushed'),
  })
  expect(ofType(events, 'run.observed').map(({ runId }) => runId)).not.toContain(item.runId)
  expect(workspace.git('show', `${item.branch}:${moduleOf(2)}`)).toContain('state: right')

  workspace.git('init', '--quiet', '--bare', nowhere)
  await told(workspace, 'reopen', '2')
  const done = await until(daemon, 2, 'done')
  expect(workspace.git('--git-dir', nowhere, 'rev-parse', `refs/heads/${done.branch}`)).toBe(done.headCommit)
})

verifies(
  ['ORCH-2.3-1', 'ORCH-2.3-2', 'AC-2.3.a', 'ORCH-2.2-5', 'ORCH-2.3-5'],
  'a branch starts from the newest main at origin, and what goes with it is pushed and done; nothing is merged',
  async () => {
    const { daemon, workspace, atOrigin } = await crewWithOrigin()
    const newest = commitElsewhere(workspace, { 'new.txt': 'x\n' }, true)
    const before = workspace.git('rev-parse', 'main')
    await addRepair(daemon, 3)
    const item = await untilHolding(daemon, 3)
    const started = ofType(await eventsOf(daemon, 3), 'build.started')[0]
    expect(started?.event).toMatchObject({ branch: 'agent-1/project-3', base: newest, from: 'origin/main' })
    expect(item.branch).toBe(branchName('agent-1', { projectNumber: 1, number: 3 }))
    commitElsewhere(workspace, { 'newer.txt': 'y\n' }, true)
    letGo(workspace, 'go-3')
    const done = await until(daemon, 3, 'done')
    expect(done).toMatchObject({ approval: null, mergeCommit: null, reason: null })
    expect(atOrigin('agent-1/project-3')).toBe(done.headCommit)
    expect(ofType(await eventsOf(daemon, 3), 'merge.delivered')[0]?.event).toMatchObject({
      pushed: true,
      note: null,
    })
    // The newest main was asked for once more before it was called done.
    expect(workspace.git('rev-parse', 'origin/main')).toBe(atOrigin('main'))
    expect(workspace.git('rev-parse', 'main')).toBe(before)
    expect(workspace.git('status', '--porcelain')).toBe('')
  },
)

verifies(
  ['ORCH-2.3-3', 'ORCH-2.3-7', 'AC-2.3.d', 'AC-2.3.e', 'ORCH-S5-14'],
  'a small conflict with main at origin is rebased, main winning, tested again, pushed and done',
  async () => {
    const { daemon, workspace, atOrigin } = await crewWithOrigin()
    await addRepair(daemon, 4)
    await untilHolding(daemon, 4)
    const newest = commitElsewhere(workspace, { [NOTES]: 'theirs\n' }, true)
    letGo(workspace, 'go-4')
    const done = await until(daemon, 4, 'done', 'conflicted')
    expect(done).toMatchObject({ state: 'done', reason: null })
    const { git } = workspace
    expect(atOrigin('agent-1/project-4')).toBe(done.headCommit)
    expect(git('rev-parse', 'agent-1/project-4^')).toBe(newest)
    expect(git('show', `agent-1/project-4:${NOTES}`)).toBe('theirs')
    expect(git('show', `agent-1/project-4:${moduleOf(4)}`)).toContain('state: right')
    const events = await eventsOf(daemon, 4)
    expect(ofType(events, 'merge.auto_resolved')[0]?.event).toMatchObject({
      how: 'rebase',
      onto: newest,
      files: [NOTES],
    })
    // What main's side took away is still there.
    const run = events.find(({ runId }) => runId !== null)?.runId
    const kept = git('for-each-ref', '--format=%(refname)', `refs/treadle/runs/${run}`).split('\n')
    const before = kept.find((ref) => ref.includes('/before-')) ?? ''
    expect(git('show', `${before}:${NOTES}`)).toBe('mine')
    expect(git('worktree', 'list').split('\n')).toHaveLength(1)
  },
)

verifies(
  ['AC-2.3.c', 'ORCH-2.3-6', 'ORCH-2.3-8', 'AC-2.3.f', 'ORCH-5.3-2', 'AC-5.3.a'],
  'a rebase after which the checks do not hold is dropped: comment, label, notice, a place in the queue, no force',
  async () => {
    // With main's side of the module the repair is gone, so its test is red.
    const theirs = `module 5\nstate: wrong, and changed\n`
    const { daemon, workspace, atOrigin } = await crewWithOrigin()
    await addRepair(daemon, 5)
    await untilHolding(daemon, 5)
    commitElsewhere(workspace, { [moduleOf(5)]: theirs, 'other.txt': 'o\n' }, true)
    letGo(workspace, 'go-5')
    const item = await until(daemon, 5, 'conflicted', 'done')
    expect(item).toMatchObject({ state: 'conflicted', needsHuman: true, labels: ['needs-manual-resolution'] })
    expect(item.reason).toContain('with the side of main taken, ')
    const events = await eventsOf(daemon, 5)
    const comment = ofType(events, 'item.commented')[0]?.event
    expect(comment).toMatchObject({ text: expect.stringContaining(`- ${moduleOf(5)}`) })
    expect(ofType(events, 'owner.notified')[0]?.event).toMatchObject({ about: 'conflict' })
    const { items: queue } = await daemon.client.conflictQueue()
    expect(queue).toMatchObject([
      {
        projectNumber: 1,
        issueNumber: 5,
        branchName: 'agent-1/project-5',
        conflictingFiles: [moduleOf(5)],
        status: 'pending',
      },
    ])
    const stopped = ofType(events, 'merge.conflicted')[0]
    // One act of the daemon writes both; so there is nothing to try again.
    expect(Date.parse(queue[0]?.createdAt ?? '') - Date.parse(stopped?.at ?? '')).toBeLessThan(30_000)
    // The branch is where the agent left it, nothing was pushed, nothing is half done.
    expect(workspace.git('rev-parse', 'agent-1/project-5')).toBe(item.headCommit)
    expect(() => atOrigin('agent-1/project-5')).toThrow()
    expect(workspace.git('status', '--porcelain')).toBe('')
    expect(workspace.git('worktree', 'list').split('\n')).toHaveLength(1)
    const shown = await told<{ commands: string[] }>(workspace, 'conflicts', 'show', '5')
    expect(shown.commands.join('\n')).toContain('merge origin/main')
    await stopDaemon(daemon)
  },
)

test('conflicts are foreseen while the agents are still at work, and told once', async () => {
  const scripts = [1, 2].map((n) => [
    [
      note(`by ${n}\n`),
      { write: { file: AT_WORK, text: 'half way\n' } },
      hold(`go-${n}`),
      { delete: { file: AT_WORK } },
      repair(n),
    ],
  ])
  const workspace = shop({ scripts, settings: { limits: { foresightMs: 200 } } })
  const daemon = await up(workspace, 2)
  for (const n of [1, 2]) await addRepair(daemon, n)
  for (const n of [1, 2]) await untilHolding(daemon, n)
  const seen = await eventually('a predicted conflict', async () => {
    const { items } = await daemon.client.predictedConflicts()
    return items.find(({ one, other }) => one.item?.number === 2 && other.item?.number === 1)
  })
  expect(seen.files.map(({ path }) => path)).toContain(NOTES)
  expect(seen.one.committed).toBe(false)
  const { predicted } = await told<{ predicted: unknown[] }>(workspace, 'conflicts')
  expect(predicted.length).toBeGreaterThan(0)
  await rounds()
  const warnings = () => eventsOf(daemon, 2).then((events) => ofType(events, 'conflict.predicted'))
  expect(await warnings()).toHaveLength(1)
  letGo(workspace, 'go-1')
  await until(daemon, 1, 'done')
  const withMain = await eventually('a conflict with main', async () =>
    (await warnings()).find(({ event }) => event.type === 'conflict.predicted' && event.otherItem === null),
  )
  expect(withMain.event).toMatchObject({ other: 'main', files: [NOTES], committed: false })
  letGo(workspace, 'go-2')
  // Small and not critical: main's side of the notes is kept, and it is merged.
  await until(daemon, 2, 'done')
  expect(workspace.git('show', `main:${NOTES}`)).toBe('by 1')
  await eventually('nothing left to foresee', async () =>
    (await daemon.client.predictedConflicts()).items.length === 0 ? true : undefined,
  )

  /** Several looks, so that a warning that is repeated would have been. */
  async function rounds(): Promise<void> {
    for (let look = 0; look < 5; look += 1) await new Promise((done) => setTimeout(done, 250))
  }
})
