// Every machine as a graph: nothing unreachable, no dead ends but the final states, and somebody who wakes each state.
import { AgentStatus } from '@treadle/contracts/agent'
import { ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { type AgentSign, agentMachine, stepAgent } from './agent.machine.ts'
import { STATES } from './flow.ts'
import { workItemMachine } from './work-item.machine.ts'

interface Edge {
  readonly from: string
  readonly event: string
  readonly to: string
}

/** Only what a graph needs of a machine; XState's own types differ from machine to machine. */
interface Graph {
  readonly states: Record<
    string,
    { key: string; transitions: Map<string, { target?: readonly { key: string }[] | undefined }[]> }
  >
}

function edgesOf(machine: Graph): Edge[] {
  return Object.values(machine.states).flatMap((state) =>
    [...state.transitions].flatMap(([event, transitions]) =>
      transitions.flatMap(({ target = [] }) =>
        target.map(({ key }) => ({ from: state.key, event, to: key })),
      ),
    ),
  )
}

function reachable(edges: readonly Edge[], start: string): Set<string> {
  const seen = new Set([start])
  for (let before = 0; before !== seen.size; ) {
    before = seen.size
    for (const edge of edges) if (seen.has(edge.from)) seen.add(edge.to)
  }
  return seen
}

const machines = [
  {
    name: 'work item',
    machine: workItemMachine as unknown as Graph,
    start: 'todo',
    finals: ['done'],
    states: ItemState.options,
  },
  {
    name: 'agent',
    machine: agentMachine as unknown as Graph,
    start: 'idle',
    finals: [],
    states: AgentStatus.options,
  },
]
test.each(machines)(
  '$name: each state is reachable and only final states are dead ends',
  ({ machine, start, finals, states }) => {
    const edges = edgesOf(machine)
    expect(Object.keys(machine.states).sort()).toEqual([...states].sort())
    expect([...reachable(edges, start)].sort()).toEqual([...states].sort())
    const deadEnds = Object.keys(machine.states).filter(
      (state) => !edges.some((edge) => edge.from === state && edge.to !== state),
    )
    expect(deadEnds).toEqual(finals)
  },
)

test('every state that is not final has a waker, and every state that can wait has a deadline', () => {
  const ended = ['done', 'withdrawn']
  for (const [state, row] of Object.entries(STATES)) {
    expect([state, row.waker !== null]).toEqual([state, !ended.includes(state)])
    expect([state, row.deadline !== null]).toEqual([state, !ended.includes(state)])
  }
  const edges = edgesOf(workItemMachine as unknown as Graph)
  const waiting = Object.keys(STATES).filter((state) => !ended.includes(state))
  for (const state of waiting)
    expect(edges.some((edge) => edge.from === state && edge.event === 'deadline.passed')).toBe(true)
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
