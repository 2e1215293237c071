// An agent that has lost its claim hears of it at once and ends its engine; its next sign of life would be far too late.
import { readlinkSync } from 'node:fs'
import { Config } from '@treadle/contracts/config'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { everythingIn, isAlive } from '../kit/processes.ts'
import {
  addRepair,
  eventsOf,
  letGo,
  session,
  slowRepair,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const HOUR = 3_600_000
/** Nobody learns anything from heartbeats here. */
const silent = { heartbeatMs: HOUR, unresponsiveMs: 10 * HOUR, degradedMs: 9 * HOUR }

test('an item that is taken away ends the engine that works on it, and what it did is kept', async () => {
  const workspace = shop({ scripts: [slowRepair(1)], settings: { limits: silent } })
  const daemon = await up(workspace, 1)
  await addRepair(daemon, 1)
  await untilHolding(daemon, 1)
  const engine = inWorktrees(workspace)
  expect(engine).not.toEqual([])
  await daemon.client.withdrawItem({ params: { projectNumber: 1, issueNumber: 1 }, body: { by: 'Ada' } })
  await allGone(engine)
  await eventually('an idle agent', () => (session(workspace, 1).status === 'idle' ? true : undefined))
  expect(session(workspace, 1)).toMatchObject({ errorCount: 1, currentProjectNumber: null })
  await eventually('no worktree', () =>
    workspace.git('worktree', 'list').split('\n').length === 1 ? true : undefined,
  )
  const kept = workspace
    .git('for-each-ref', '--format=%(refname)', 'refs/treadle')
    .split('\n')
    .filter((ref) => workspace.git('ls-tree', '-r', '--name-only', ref).includes('notes/at-work.txt'))
  expect(kept).not.toEqual([])
})

verifies(
  ['ORCH-2.2-9', 'AC-2.2.f'],
  'an execution beyond its limit: the session is killed, the run failed, the item back in the backlog, then taken up anew',
  async () => {
    expect(Config.parse({}).limits.executionMs).toBe(8 * HOUR)
    const workspace = shop({
      scripts: [slowRepair(1)],
      settings: { limits: { ...silent, executionMs: 8_000 } },
    })
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await untilHolding(daemon, 1)
    const engine = inWorktrees(workspace)
    expect(engine).not.toEqual([])
    const passed = await eventually('the deadline', async () =>
      (await eventsOf(daemon, 1)).find(({ event }) => event.type === 'deadline.passed'),
    )
    expect(passed).toMatchObject({ state: 'backlog' })
    await allGone(engine)
    const { runs } = await daemon.client.showItem({ params: { projectNumber: 1, issueNumber: 1 } })
    expect(runs.at(-1)).toMatchObject({ id: passed.runId, status: 'error', outcome: 'failed' })
    const after = await eventually('the failure in the session file', () => {
      const now = session(workspace, 1)
      return now.errorCount > 0 ? now : undefined
    })
    expect(after.lastError).not.toBeNull()
    letGo(workspace, 'go-1')
    expect((await until(daemon, 1, 'done')).fence).toBeGreaterThan(1)
  },
)

/** Engines stand in the worktrees of their agents. */
function inWorktrees(workspace: Workspace): number[] {
  return everythingIn(workspace).filter((pid) => folderOf(pid).startsWith(workspace.paths.worktrees))
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

async function allGone(pids: readonly number[]): Promise<void> {
  await eventually('the end of the engine', () => (pids.some(isAlive) ? undefined : true))
}
