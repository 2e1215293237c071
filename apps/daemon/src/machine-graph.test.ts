// Every machine as a graph: nothing unreachable, no dead ends but the final states, and somebody who wakes each state.
import { AgentStatus } from '@treadle/contracts/agent'
import { ItemState } from '@treadle/contracts/item'
import type { Machine, MachineName } from '@treadle/contracts/machine'
import { PaorState } from '@treadle/contracts/paor'
import { RunStatus } from '@treadle/contracts/run'
import { STATES } from '@treadle/flow/flow'
import { type AgentSign, stepAgent } from '@treadle/flow/supervise/agent.machine'
import { expect, test } from 'vitest'
import { MACHINES } from './machine-graph.ts'

function reachable(edges: Machine['moves'], start: string): Set<string> {
  const seen = new Set([start])
  for (let before = 0; before !== seen.size; ) {
    before = seen.size
    for (const edge of edges) if (seen.has(edge.from)) seen.add(edge.to)
  }
  return seen
}

const FINALS: Record<MachineName, readonly string[]> = {
  item: ['done'],
  run: [],
  goal: ['complete', 'failed'],
  agent: [],
}
const STATES_OF: Record<MachineName, readonly string[]> = {
  item: ItemState.options,
  run: RunStatus.options,
  goal: PaorState.options,
  agent: AgentStatus.options,
}
test.each(MACHINES)('$name: each state is reachable and only final states are dead ends', (machine) => {
  const { name, initial, states, moves } = machine
  const names = states.map((state) => state.name)
  expect(names.toSorted()).toEqual([...STATES_OF[name]].sort())
  expect([...reachable(moves, initial)].sort()).toEqual([...STATES_OF[name]].sort())
  const deadEnds = names.filter((state) => !moves.some(({ from, to }) => from === state && to !== state))
  expect(deadEnds).toEqual(FINALS[name])
})

test('every state that is not final has a waker, and every state that can wait has a deadline', () => {
  const ended = ['done', 'withdrawn']
  for (const [state, row] of Object.entries(STATES)) {
    expect([state, row.waker !== null]).toEqual([state, !ended.includes(state)])
    expect([state, row.deadline !== null]).toEqual([state, !ended.includes(state)])
  }
  const moves = MACHINES.find(({ name }) => name === 'item')?.moves ?? []
  const waiting = Object.keys(STATES).filter((state) => !ended.includes(state))
  for (const state of waiting)
    expect(moves.some(({ from, on }) => from === state && on === 'deadline.passed')).toBe(true)
})

test.each<[AgentStatus, AgentSign, AgentStatus | null]>([
  ['idle', { type: 'begins', what: 'working' }, 'working'],
  ['idle', { type: 'begins', what: 'reviewing' }, 'reviewing'],
  ['idle', { type: 'begins', what: 'ideating' }, 'ideating'],
  ['working', { type: 'ends' }, 'idle'],
  ['working', { type: 'dies' }, 'crashed'],
  ['working', { type: 'pause' }, 'paused'],
  ['paused', { type: 'resume' }, 'idle'],
  ['paused', { type: 'begins', what: 'working' }, null],
  ['crashed', { type: 'start' }, 'idle'],
  ['crashed', { type: 'gives_up' }, 'failed'],
  ['failed', { type: 'start' }, 'idle'],
  ['stopped', { type: 'ends' }, null],
  ['idle', { type: 'ends' }, null],
  ['stopped', { type: 'pause' }, null],
  ['stopped', { type: 'gives_up' }, 'failed'],
  ['failed', { type: 'begins', what: 'working' }, null],
])('an agent that is %s and %j becomes %s', (status, sign, next) => {
  expect(stepAgent(status, sign)).toBe(next)
})
