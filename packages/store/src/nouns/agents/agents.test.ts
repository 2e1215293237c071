import { randomUUID } from 'node:crypto'
import type { Heartbeat } from '@treadle/contracts/agent'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { DRIVERS, newItem, newProject, useStore } from '../../testing/both-drivers.ts'
import { claimFor } from '../../testing/claim.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const beat: Heartbeat = {
  agentId: 'agent-1',
  status: 'working',
  currentProjectNumber: 7,
  timestamp: at.toISOString(),
  memoryUsage: 120.25,
  cpuUsage: 12.5,
  pid: 4_000,
  engine: 'scripted',
  phase: 'build',
  tasksCompleted: 3,
  errorCount: 1,
  lastError: 'oh \0 no',
  drained: false,
}

describe.each(DRIVERS)('agents on the %s database', (driver) => {
  const open = useStore(driver)

  test('an agent is made once, beats, is changed, and shows what it holds', async (context) => {
    const store = await open(context)
    const { agents, items } = store
    expect(await agents.find('agent-1')).toBeNull()
    const made = await agents.ensure('agent-1', at)
    expect(made).toEqual({
      id: 'agent-1',
      status: 'stopped',
      wanted: 'stopped',
      pid: null,
      pidStarted: null,
      workspace: null,
      frozenAt: null,
      engine: null,
      item: null,
      runId: null,
      runStatus: 'idle',
      phase: null,
      tasksCompleted: 0,
      errorCount: 0,
      lastError: null,
      memoryMb: null,
      cpuPercent: null,
      restarts: 0,
      startedAt: null,
      lastHeartbeatAt: null,
      metricsSince: null,
    })
    await agents.patch('agent-1', { status: 'idle', wanted: 'running', pid: 9, startedAt: at, restarts: 2 })
    expect(await agents.ensure('agent-1', new Date())).toEqual({
      ...made,
      status: 'idle',
      wanted: 'running',
      pid: 9,
      startedAt: at.toISOString(),
      restarts: 2,
    })
    await agents.beat('agent-1', beat, at)
    const item = await items.add(newItem({ projectNumber: newProject() }), at)
    const ref = { projectNumber: item.projectNumber, number: item.number }
    const runId = randomUUID()
    await claimFor(store, { ref, agentId: 'agent-1', runId, at })
    expect(await agents.find('agent-1')).toEqual({
      id: 'agent-1',
      status: 'idle',
      wanted: 'running',
      pid: 9,
      pidStarted: null,
      workspace: null,
      frozenAt: null,
      engine: 'scripted',
      item: ref,
      runId,
      runStatus: 'loading',
      phase: 'build',
      tasksCompleted: 3,
      errorCount: 1,
      lastError: 'oh \uFFFD no',
      memoryMb: 120.25,
      cpuPercent: 12.5,
      restarts: 2,
      startedAt: at.toISOString(),
      lastHeartbeatAt: at.toISOString(),
      metricsSince: null,
    })
    await agents.beat('agent-1', { ...beat, lastError: null }, at)
    expect((await agents.find('agent-1'))?.lastError).toBe('oh \uFFFD no')
    await agents.patch('agent-1', { lastError: null, pid: null })
    expect(await agents.find('agent-1')).toMatchObject({ lastError: null, pid: null })
    await expect(agents.patch('agent-99', { pid: 1 })).rejects.toMatchObject({ kind: 'store_agent' })
  })

  test('the crew is listed by number', async (context) => {
    const { agents } = await open(context)
    for (const id of ['agent-10', 'review-agent', 'agent-2', 'agent-1']) await agents.ensure(id, at)
    expect((await agents.list()).map(({ id }) => id)).toEqual([
      'agent-1',
      'agent-2',
      'agent-10',
      'review-agent',
    ])
  })

  verifies('ORCH-1.3-3', 'the last ten heartbeats of each agent are kept, newest first', async (context) => {
    const { agents } = await open(context)
    for (let count = 1; count <= 14; count += 1)
      await agents.beat('agent-3', { ...beat, tasksCompleted: count }, new Date(at.getTime() + count))
    await agents.beat('agent-4', { ...beat, agentId: 'agent-4', lastError: null }, at)
    const kept = await agents.beats('agent-3')
    expect(kept.map(({ tasksCompleted }) => tasksCompleted)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
    expect(await agents.beats('agent-4')).toEqual([{ ...beat, agentId: 'agent-4', lastError: null }])
    expect(await agents.beats('agent-99')).toEqual([])
  })

  verifies('ORCH-1.3-9', 'ten agents that beat at the same time lose none', async (context) => {
    const { agents } = await open(context)
    const ids = Array.from({ length: 10 }, (_, index) => `agent-${index + 21}`)
    const count = async (id: string) => {
      for (let n = 1; n <= 10; n += 1)
        await agents.beat(id, { ...beat, agentId: id, lastError: null, tasksCompleted: n }, at)
    }
    await Promise.all(ids.map(count))
    for (const id of ids) {
      const kept = await agents.beats(id)
      expect([id, kept.map(({ tasksCompleted }) => tasksCompleted)]).toEqual([
        id,
        [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      ])
      expect(kept.every(({ agentId }) => agentId === id)).toBe(true)
      expect(await agents.find(id)).toMatchObject({ tasksCompleted: 10, lastHeartbeatAt: at.toISOString() })
    }
  })

  test('a status changes only from what it was thought to be', async (context) => {
    const { agents } = await open(context)
    await agents.ensure('agent-8', at)
    const from = { status: 'stopped', wanted: 'stopped' } as const
    expect(await agents.moveStatus('agent-8', { ...from, wanted: 'running' }, 'idle')).toBe(false)
    expect(await agents.moveStatus('agent-8', from, 'idle')).toBe(true)
    expect(await agents.moveStatus('agent-8', from, 'idle')).toBe(false)
    expect(await agents.find('agent-8')).toMatchObject({ status: 'idle' })
    const workspace = { id: 'w-1', words: 'host:/a@b' }
    await agents.patch('agent-8', { pid: 7, pidStarted: 'x-1', workspace, frozenAt: at, phase: 'building' })
    expect(await agents.find('agent-8')).toMatchObject({
      pid: 7,
      pidStarted: 'x-1',
      workspace,
      frozenAt: at.toISOString(),
      phase: 'building',
    })
    await agents.patch('agent-8', { workspace: null })
    expect(await agents.find('agent-8')).toMatchObject({ pidStarted: 'x-1', workspace: null })
  })

  test('restarts are counted since a moment', async (context) => {
    const { agents } = await open(context)
    const moment = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
    for (const seconds of [0, 10, 20]) await agents.countRestart('agent-5', moment(seconds))
    expect(await agents.restartsSince('agent-5', moment(0))).toBe(3)
    expect(await agents.restartsSince('agent-5', moment(10))).toBe(2)
    expect(await agents.restartsSince('agent-5', moment(21))).toBe(0)
    expect(await agents.restartsSince('agent-6', moment(0))).toBe(0)
    expect((await agents.find('agent-5'))?.restarts).toBe(3)
    await agents.forgiveRestarts('agent-5')
    expect(await agents.restartsSince('agent-5', moment(0))).toBe(0)
    expect((await agents.find('agent-5'))?.restarts).toBe(3)
  })
})
