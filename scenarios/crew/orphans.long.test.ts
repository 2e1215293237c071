// What an earlier daemon has left of agents that nobody wants now: found, told, recovered or removed.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Orphan } from '@treadle/contracts/orphan'
import { idleSession } from '@treadle/contracts/session-file'
import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { agentOf, crewProcesses, untilAgent } from '../kit/agents.ts'
import { startDaemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { isAlive, kill, waitGone } from '../kit/processes.ts'
import { addRepair, repair, session, told, until, up, useShops } from '../kit/shop.ts'

const shop = useShops()

verifies(
  ['ORCH-5.5-6', 'ORCH-5.5-7', 'ORCH-5.5-8'],
  'a session file without a process is found at the next start, kept, and recovered or removed as one decides',
  async () => {
    const workspace = shop({ scripts: [[[repair(1)]]] })
    const file = (n: number) => join(workspace.paths.sessions, `agent-${n}.session`)
    await stopDaemon(await up(workspace, 1))
    const left = { ...idleSession('agent-2', new Date().toISOString()), tasksCompleted: 7, errorCount: 2 }
    writeFileSync(
      file(2),
      JSON.stringify({ ...left, status: 'working', currentProjectNumber: 1, lastError: 'oh' }),
    )
    writeFileSync(file(3), 'no session')
    const ended = await treadle(workspace, ['up', '--detach', '--agents', '1'])
    expect(ended.stderr).toMatch(/agent-2: no process; its session file says working on #1/)
    expect(ended.stderr).toMatch(/agent-3: no process; its session file cannot be read/)
    expect(ended.stderr).not.toMatch(/agent-1:/)
    const daemon = await up(workspace, 1)
    expect((await told<Orphan[]>(workspace, 'orphans')).map(({ agentId }) => agentId)).toEqual([
      'agent-2',
      'agent-3',
    ])
    expect((await treadle(workspace, ['orphans', 'recover', '3'])).code).toBe(1)
    expect((await treadle(workspace, ['orphans', 'delete', '3'])).code).toBe(2)
    expect(existsSync(file(3))).toBe(true)
    await told(workspace, 'orphans', 'delete', '3', '--yes')
    expect(existsSync(file(3))).toBe(false)
    await told(workspace, 'orphans', 'recover', '2')
    const back = await untilAgent(daemon, 'back', ({ lastHeartbeatAt }) => lastHeartbeatAt !== null, 2)
    expect(back).toMatchObject({ status: 'idle', tasksCompleted: 7, errorCount: 2, lastError: 'oh' })
    expect(session(workspace, 2)).toMatchObject({ status: 'idle', tasksCompleted: 7, errorCount: 2 })
    expect(await told<Orphan[]>(workspace, 'orphans')).toEqual([])
    expect((await treadle(workspace, ['orphans', 'delete', '2', '--yes'])).code).toBe(1)
    await addRepair(daemon, 1)
    await until(daemon, 1, 'done')
  },
)

verifies(
  'ORCH-5.5-6',
  'an agent process whose daemon and database are gone is found, kept, taken over or ended',
  async () => {
    const workspace = shop({ scripts: [[[repair(1)]]] })
    const first = await up(workspace, 2)
    const before = [(await agentOf(first, 1)).pid ?? 0, (await agentOf(first, 2)).pid ?? 0] as const
    await untilAgent(first, 'there', ({ lastHeartbeatAt }) => lastHeartbeatAt !== null, 1)
    await untilAgent(first, 'there', ({ lastHeartbeatAt }) => lastHeartbeatAt !== null, 2)
    kill(first.pid)
    await waitGone(first.pid)
    rmSync(workspace.paths.store, { recursive: true })
    const daemon = await startDaemon(workspace)
    const { items } = await daemon.client.listOrphans()
    expect(items.map(({ agentId, process }) => [agentId, process?.pid])).toEqual([
      ['agent-1', before[0]],
      ['agent-2', before[1]],
    ])
    expect(before.every(isAlive)).toBe(true)
    const unconfirmed = daemon.client.settleOrphan({ params: { id: 'agent-2', act: 'delete' } })
    await expect(unconfirmed).rejects.toMatchObject({ status: 409, code: 'confirm_needed' })
    await told(workspace, 'orphans', 'delete', '2', '--yes')
    expect(isAlive(before[1])).toBe(false)
    await told(workspace, 'orphans', 'recover', '1')
    expect(await agentOf(daemon, 1)).toMatchObject({ pid: before[0], wanted: 'running' })
    expect(crewProcesses(daemon)).toEqual([before[0]])
    await addRepair(daemon, 1)
    await until(daemon, 1, 'done')
  },
)
