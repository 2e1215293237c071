import { randomUUID } from 'node:crypto'
import type { Heartbeat } from '@treadle/contracts/agent'
import { describe, expect, test } from 'vitest'
import { DRIVERS, newItem, newProject, useStore } from './testing/both-drivers.ts'
import type { TextRow } from './transfer.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const beat: Heartbeat = {
  pid: 4_000,
  status: 'working',
  memoryMb: 120.25,
  cpuPercent: 12.5,
  engine: 'scripted',
  phase: 'build',
  tasksCompleted: 3,
  errorCount: 1,
  lastError: 'oh \0 no',
}

describe.each(DRIVERS)('agents on the %s database', (driver) => {
  const open = useStore(driver)

  test('an agent is made once, beats, is changed, and shows what it holds', async (context) => {
    const { agents, items, claims } = await open(context)
    expect(await agents.find('agent-1')).toBeNull()
    const made = await agents.ensure('agent-1', at)
    expect(made).toEqual({
      id: 'agent-1',
      status: 'stopped',
      wanted: 'stopped',
      pid: null,
      engine: null,
      item: null,
      runId: null,
      phase: null,
      tasksCompleted: 0,
      errorCount: 0,
      lastError: null,
      memoryMb: null,
      cpuPercent: null,
      restarts: 0,
      startedAt: null,
      lastHeartbeatAt: null,
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
    await claims.take({ ref, agentId: 'agent-1', requestId: null, runId, at })
    expect(await agents.find('agent-1')).toEqual({
      id: 'agent-1',
      status: 'working',
      wanted: 'running',
      pid: 4_000,
      engine: 'scripted',
      item: ref,
      runId,
      phase: 'build',
      tasksCompleted: 3,
      errorCount: 1,
      lastError: 'oh \uFFFD no',
      memoryMb: 120.25,
      cpuPercent: 12.5,
      restarts: 2,
      startedAt: at.toISOString(),
      lastHeartbeatAt: at.toISOString(),
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

  test('the last ten heartbeats are kept', async (context) => {
    const store = await open(context)
    for (let count = 1; count <= 14; count += 1)
      await store.agents.beat('agent-3', { ...beat, tasksCompleted: count }, new Date(at.getTime() + count))
    await store.agents.beat('agent-4', beat, at)
    const kept: number[] = []
    await store.copyTo({
      ...store,
      receive: async (rows: AsyncIterable<TextRow> | Iterable<TextRow>) => {
        for await (const { table, row } of rows)
          if (table === 'heartbeats' && row.agent_id === 'agent-3')
            kept.push((JSON.parse(row.beat ?? '{}') as Heartbeat).tasksCompleted)
        return 0
      },
    })
    expect(kept).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
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
  })
})
