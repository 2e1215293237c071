// Engines that lie, break, hang and die: nothing of it is merged, and a person is told why.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import {
  addRepair,
  eventsOf,
  mergedOnMain,
  moduleOf,
  repair,
  type Step,
  session,
  until,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops('file')
const claimSuccess: Step = { lie: { text: 'Done, all tests pass.' } }
/** A module that is right from the start; no item asks for it. */
const NEIGHBOUR = 7
/** Its engine dies once and then does its work. */
const UNLUCKY = 6

/** Ends the engine's process the first time it comes by. */
const dieOnce: Step = {
  run: {
    command: 'test -e ../../../../home/died || { touch ../../../../home/died; kill -9 $PPID; sleep 5; }',
  },
}

const LIARS = [
  {
    what: 'claims success without a change',
    script: [claimSuccess],
    why: /the engine changed nothing/,
    ends: 'verify.failed',
  },
  {
    what: 'breaks what worked',
    script: [
      repair(2),
      { edit: { file: moduleOf(NEIGHBOUR), find: 'right', replace: 'wrong' } },
      claimSuccess,
    ],
    why: /no regression: 1 failed, first: .*module-07/,
    ends: 'verify.failed',
  },
  {
    what: 'makes its tests fail',
    script: [repair(3), { write: { file: 'test.sh', text: 'echo broken >&2\nexit 3\n' } }, claimSuccess],
    why: /^tests: .*exit code 3/,
    ends: 'verify.failed',
  },
  { what: 'hangs', script: [{ hang: {} }], why: /The engine went silent/, ends: 'build.failed' },
  {
    what: 'dies every time',
    script: [{ crash: {} }],
    why: /The engine crashed/,
    ends: 'build.failed',
  },
] as const

let opened: Promise<Daemon> | null = null

/** One crew, without agents at first, for both tests. */
function crew(): Promise<Daemon> {
  opened ??= up(
    shop({
      scripts: [...LIARS.map(({ script }) => [script]), [[dieOnce, repair(UNLUCKY)]], [[]]],
      right: [NEIGHBOUR],
      settings: { limits: { engineStallMs: 5_000, infrastructureRetries: 1, improvements: 1 } },
    }),
    0,
  )
  return opened
}

verifies(
  ['ORCH-2.2-8', 'AC-2.2.e'],
  'no liar is merged: each item waits for a person with the reason, and its agent is free again',
  async () => {
    const daemon = await crew()
    const { workspace } = daemon
    // The one that only waits goes first, while the others work.
    for (const [index, { what }] of LIARS.entries())
      await addRepair(daemon, index + 1, { priority: what === 'hangs' ? 0 : 1 })
    await up(workspace, 2)
    for (const [index, { why, ends }] of LIARS.entries()) {
      const item = await until(daemon, index + 1, 'escalated', 'done')
      expect(item).toMatchObject({ state: 'escalated', status: 'backlog', needsHuman: true })
      expect(item).toMatchObject({ claimedByAgentId: null, mergeCommit: null, headCommit: null })
      expect(item.reason).toMatch(why)
      const moved = (await eventsOf(daemon, index + 1)).find(({ state }) => state === 'escalated')
      expect(moved?.event.type).toBe(ends)
    }
    expect(mergedOnMain(workspace)).toEqual([])
    await expectFree(workspace, LIARS.length)
    expect((await daemon.client.queue()).items).toEqual([])
  },
)

test('an engine that dies once is asked again, and that uses up no attempt', async () => {
  const daemon = await crew()
  await up(daemon.workspace, 2)
  await addRepair(daemon, UNLUCKY)
  const item = await until(daemon, UNLUCKY, 'done', 'escalated')
  expect(item).toMatchObject({ state: 'done', attempts: 1 })
  expect(await resumedBecause(daemon)).toEqual(['engine crashed, again in 1000 ms'])
  expect(mergedOnMain(daemon.workspace)).toEqual([`1/${UNLUCKY}`])
})

async function resumedBecause(daemon: Daemon): Promise<string[]> {
  const events = await eventsOf(daemon, UNLUCKY)
  return events.flatMap(({ event }) => (event.type === 'run.resumed' ? [event.why] : []))
}

async function expectFree(workspace: Workspace, errors: number): Promise<void> {
  const ends = await eventually('both agents idle', () => {
    const now = [1, 2].map((agent) => session(workspace, agent))
    return now.every(({ status, branchName }) => status === 'idle' && branchName === null) ? now : undefined
  })
  expect(ends.reduce((sum, { errorCount }) => sum + errorCount, 0)).toBe(errors)
  for (const end of ends) {
    expect(end).toMatchObject({ currentProjectNumber: null, tasksCompleted: 0 })
    if (end.errorCount > 0) expect(end.lastError).toMatch(/engine|tests|no regression/)
  }
}
