// An item that a person has given to one agent.
import { randomUUID } from 'node:crypto'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../../connect.ts'
import { DRIVERS, newItem, newProject, useStore } from '../../testing/both-drivers.ts'
import { claimFor } from '../../testing/claim.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

describe.each(DRIVERS)('an item kept for one agent, on the %s database', (driver) => {
  const open = useStore(driver)
  const add = async ({ items }: OpenStore, assignedAgentId: AgentId | null): Promise<ItemRef> => {
    const item = await items.add(newItem({ projectNumber: newProject() }), at)
    await items.save({ ...item, assignedAgentId })
    return { projectNumber: item.projectNumber, number: item.number }
  }
  const take = (store: OpenStore, ref: ItemRef, agentId: AgentId) => claimFor(store, { ref, agentId, at })
  const offered = async ({ items }: OpenStore, agentId: AgentId | undefined, ref: ItemRef) =>
    (await items.queue(1_000, agentId)).some(({ projectNumber }) => projectNumber === ref.projectNumber)

  test('is offered to that one alone while it runs, and first of all', async (context) => {
    const store = await open(context)
    await store.agents.ensure('agent-2', at)
    await store.agents.patch('agent-2', { wanted: 'running', status: 'working' })
    await add(store, null)
    const ref = await add(store, 'agent-2')
    expect(await offered(store, 'agent-1', ref)).toBe(false)
    expect(await offered(store, undefined, ref)).toBe(true)
    expect((await store.items.queue(1, 'agent-2'))[0]?.projectNumber).toBe(ref.projectNumber)
    expect(await take(store, ref, 'agent-1')).toEqual({ is: 'held', by: null, status: 'todo' })
    expect(await take(store, ref, 'agent-2')).toEqual({ is: 'taken', fence: 1 })
  })

  test('is everybody’s once that one is stopped, paused or given up', async (context) => {
    const store = await open(context)
    await store.agents.ensure('agent-3', at)
    for (const patch of [
      { wanted: 'stopped', status: 'stopped' },
      { wanted: 'paused', status: 'paused' },
      { wanted: 'running', status: 'failed' },
    ] as const) {
      await store.agents.patch('agent-3', patch)
      const ref = await add(store, 'agent-3')
      expect(await offered(store, 'agent-1', ref), patch.status).toBe(true)
      expect(await take(store, ref, 'agent-1'), patch.status).toMatchObject({ is: 'taken' })
    }
  })

  test('is everybody’s if there is no such agent', async (context) => {
    const store = await open(context)
    const ref = await add(store, 'agent-77')
    expect(await offered(store, 'agent-1', ref)).toBe(true)
    expect(await take(store, ref, 'agent-1')).toMatchObject({ is: 'taken' })
  })

  test('orders are read newest first, page by page', async (context) => {
    const store = await open(context)
    for (const by of ['a', 'b', 'c'])
      await store.events.append({
        id: randomUUID(),
        at,
        item: null,
        agentId: null,
        runId: null,
        state: null,
        event: { type: 'order.given', order: 'recover', by, target: null, impact: '', outcome: '' },
      })
    const names = (page: Awaited<ReturnType<OpenStore['events']['newest']>>) =>
      page.map(({ event }) => (event.type === 'order.given' ? event.by : '?'))
    const first = await store.events.newest({ type: 'order.given', limit: 2 })
    expect(names(first)).toEqual(['c', 'b'])
    const rest = await store.events.newest({ type: 'order.given', limit: 2, before: first[1]?.cursor })
    expect(names(rest)).toEqual(['a'])
  })

  test('counters of an agent are set anew', async (context) => {
    const store = await open(context)
    await store.agents.ensure('agent-4', at)
    await store.agents.patch('agent-4', { errorCount: 3, tasksCompleted: 4, lastError: 'bad' })
    expect(await store.agents.find('agent-4')).toMatchObject({ errorCount: 3, metricsSince: null })
    await store.agents.patch('agent-4', {
      errorCount: 0,
      tasksCompleted: 0,
      lastError: null,
      metricsSince: at,
    })
    expect(await store.agents.find('agent-4')).toMatchObject({
      errorCount: 0,
      tasksCompleted: 0,
      lastError: null,
      metricsSince: at.toISOString(),
    })
    // The last words of a process that is no longer the agent's.
    const beat = {
      agentId: 'agent-4',
      status: 'working',
      currentProjectNumber: null,
      timestamp: at.toISOString(),
      memoryUsage: 1,
      cpuUsage: 0,
      pid: 7,
      engine: 'e',
      phase: null,
      tasksCompleted: 4,
      errorCount: 3,
      lastError: 'bad',
      drained: false,
    } as const
    await store.agents.beat('agent-4', beat, at, 7)
    expect(await store.agents.find('agent-4')).toMatchObject({ errorCount: 0, lastError: null })
    expect(await store.agents.beats('agent-4')).toEqual([])
    await store.agents.patch('agent-4', { pid: 7 })
    await store.agents.beat('agent-4', beat, at, 7)
    expect(await store.agents.find('agent-4')).toMatchObject({ errorCount: 3, lastError: 'bad' })
  })
})
