// The life of an agent as others see it. `paused` and `stopped` are orders; `crashed` and `failed` are findings.
import type { AgentStatus } from '@treadle/contracts/agent'
import { setup, transition } from 'xstate'

export type AgentSign =
  | { readonly type: 'begins'; readonly what: 'working' | 'reviewing' | 'ideating' }
  | { readonly type: 'ends' }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'stop' }
  | { readonly type: 'start' }
  | { readonly type: 'dies' }
  | { readonly type: 'gives_up' }

/** Nobody left to try: its process could not be started, or was started too often. */
const fails = { gives_up: 'failed' } as const
const orders = { pause: 'paused', stop: 'stopped', dies: 'crashed', ...fails } as const
const busy = { on: { ends: 'idle', ...orders } } as const

export const agentMachine = setup({
  types: { events: {} as AgentSign },
  guards: {
    works: ({ event }) => event.type === 'begins' && event.what === 'working',
    reviews: ({ event }) => event.type === 'begins' && event.what === 'reviewing',
  },
}).createMachine({
  id: 'agent',
  initial: 'idle',
  states: {
    idle: {
      on: {
        begins: [
          { guard: 'works', target: 'working' },
          { guard: 'reviews', target: 'reviewing' },
          { target: 'ideating' },
        ],
        ...orders,
      },
    },
    working: busy,
    reviewing: busy,
    ideating: busy,
    paused: { on: { resume: 'idle', stop: 'stopped', dies: 'crashed' } },
    stopped: { on: { start: 'idle', ...fails } },
    crashed: { on: { start: 'idle', stop: 'stopped', ...fails } },
    failed: { on: { start: 'idle', stop: 'stopped' } },
  },
})

/** The next status, or null if the sign makes no sense in this one. */
export function stepAgent(status: AgentStatus, sign: AgentSign): AgentStatus | null {
  const snapshot = agentMachine.resolveState({ value: status })
  if (!snapshot.can(sign)) return null
  const [next] = transition(agentMachine, snapshot, sign)
  return next.value as AgentStatus
}
