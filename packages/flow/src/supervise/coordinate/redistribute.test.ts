import type { AgentId } from '@treadle/contracts/ids'
import { expect, test } from 'vitest'
import { loadOf } from '../agent-load.ts'
import { type AgentLoad, redistribute } from './redistribute.ts'

const agent = (id: AgentId, load: number, given: Partial<AgentLoad> = {}): AgentLoad => ({
  id,
  load,
  status: 'idle',
  wanted: 'running',
  ...given,
})
const task = (number: number, priority: number | null = null) => ({
  projectNumber: 1,
  number,
  priority,
  rank: number,
})
const whom = (tasks: ReturnType<typeof task>[], agents: AgentLoad[]) =>
  redistribute('agent-1', tasks, agents).map((each) => [each.task.number, each.to, each.load])

test('each task goes to whoever has least then: they are not piled on one', () => {
  const agents = [agent('agent-1', 3), agent('agent-2', 1), agent('agent-3', 0)]
  expect(whom([task(1), task(2), task(3), task(4)], agents)).toEqual([
    [1, 'agent-3', 1],
    [2, 'agent-2', 2],
    [3, 'agent-3', 2],
    [4, 'agent-2', 3],
  ])
})

test('the most urgent is given away first, and of agents that are equal the first by number takes it', () => {
  const agents = [agent('agent-10', 0), agent('agent-2', 0)]
  expect(whom([task(1), task(2, 1)], agents)).toEqual([
    [2, 'agent-2', 1],
    [1, 'agent-10', 1],
  ])
})

test.each([
  ['nobody else is there', []],
  ['the other one was stopped', [agent('agent-2', 0, { wanted: 'stopped' })]],
  ['the other one is paused', [agent('agent-2', 0, { wanted: 'paused' })]],
  ['the other one was given up as well', [agent('agent-2', 0, { status: 'failed' })]],
  ['the other one has crashed', [agent('agent-2', 0, { status: 'crashed' })]],
  ['the other one reviews', [agent('review-agent', 0)]],
])('nothing is assigned where %s', (_, others) => {
  expect(redistribute('agent-1', [task(1)], [agent('agent-1', 1), ...others])).toEqual([])
})

test('the load of an agent is what it has in hand and what is kept for it', () => {
  const items = [
    { claimedByAgentId: 'agent-2', assignedAgentId: null },
    { claimedByAgentId: null, assignedAgentId: 'agent-2' },
    { claimedByAgentId: 'agent-3', assignedAgentId: null },
    { claimedByAgentId: null, assignedAgentId: null },
  ] as const
  expect([loadOf('agent-2', items), loadOf('agent-3', items), loadOf('agent-4', items)]).toEqual([2, 1, 0])
})
