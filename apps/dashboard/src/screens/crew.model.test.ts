import { type Agent, AgentStatus } from '@treadle/contracts/agent'
import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { crewSummary, orderAgents, signsOf, statusWords, workOf } from './crew.model.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

function agent(id: string, more: Partial<Agent> = {}): Agent {
  return {
    id,
    status: 'idle',
    wanted: 'running',
    substate: null,
    health: 'healthy',
    pid: 1,
    pidStarted: null,
    frozenAt: null,
    runStatus: 'idle',
    engine: 'scripted',
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
    lastHeartbeatAt: '2026-11-15T11:59:50.000Z',
    metricsSince: null,
    ...more,
  }
}

test.each(AgentStatus.options.map((status) => ({ status })))('$status has words', ({ status }) => {
  expect(statusWords(status).toLowerCase()).toBe(status)
})

test.each([
  [{}, ['Healthy', 'seen 10 s ago']],
  [{ health: 'degraded' }, ['Degraded', 'seen 10 s ago']],
  [{ health: 'unresponsive' }, ['Unresponsive', 'seen 10 s ago']],
  [{ lastHeartbeatAt: null }, ['Healthy', 'not seen yet']],
  [{ status: 'working', wanted: 'stopped' }, ['Healthy', 'stopping', 'seen 10 s ago']],
  [{ status: 'working', wanted: 'paused' }, ['Healthy', 'pauses at the next checkpoint', 'seen 10 s ago']],
  [{ status: 'paused', wanted: 'paused' }, ['Healthy', 'seen 10 s ago']],
  [{ status: 'paused', wanted: 'running' }, ['Healthy', 'resuming', 'seen 10 s ago']],
  [{ status: 'stopped', wanted: 'stopped' }, ['seen 10 s ago']],
  [{ status: 'crashed', wanted: 'running', health: 'unresponsive' }, ['starting', 'seen 10 s ago']],
  [{ status: 'failed', wanted: 'running' }, ['seen 10 s ago']],
] as const)('%o shows %j', (more, signs) => {
  expect(signsOf(agent('agent-1', more), NOW)).toEqual(signs)
})

test('agents are ordered by number, the reviewer last', () => {
  const crew = ['review-agent', 'agent-10', 'agent-2', 'agent-1'].map((id) => agent(id))
  expect(orderAgents(crew).map(({ id }) => id)).toEqual(['agent-1', 'agent-2', 'agent-10', 'review-agent'])
})

test('what an agent works on is named by its title, where the item is known', () => {
  const items = [
    { projectNumber: 1, number: 7, title: 'Other' },
    { projectNumber: 2, number: 7, title: 'Mine' },
  ]
  const ref = { projectNumber: 2, number: 7 }
  expect(workOf(agent('agent-1', { item: ref }), items as Item[])).toEqual({ ref, title: 'Mine' })
  expect(workOf(agent('agent-1', { item: ref }), [])).toEqual({ ref, title: null })
  expect(workOf(agent('agent-1'), items as Item[])).toBeNull()
})

test.each([
  [[], ''],
  [['idle'], '1 idle'],
  [
    ['working', 'reviewing', 'ideating', 'idle', 'paused', 'stopped', 'crashed', 'failed'],
    '3 busy, 1 idle, 1 paused, 3 not running',
  ],
] as const)('%j is a crew of: %s', (statuses, summary) => {
  expect(crewSummary(statuses.map((status, index) => agent(`agent-${index + 1}`, { status })))).toBe(summary)
})
