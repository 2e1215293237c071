// What an order will hit, when a yes still covers it, and which claims are stuck: tables of facts.
import type { Order } from '@treadle/contracts/order'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { CONFIRM_MS, judgeConfirm, needsConfirm, type Ticket } from './confirm.ts'
import { type AgentOrderFacts, type HeldFacts, impactOf, type OrderFacts } from './impact.ts'
import { judgeStuck, type StuckFacts } from './stuck.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-04T12:00:00.000Z')
const item = (number: number) => ({ projectNumber: 1, number })

function agent(n: number, at: number | null = null, more: Partial<AgentOrderFacts> = {}): AgentOrderFacts {
  const busy =
    at === null ? ({ status: 'idle', item: null } as const) : { status: 'working' as const, item: item(at) }
  return { id: `agent-${n}`, wanted: 'running', alive: true, ...busy, ...more }
}
function held(number: number, by: number, more: Partial<HeldFacts> = {}): HeldFacts {
  const claimedAt = new Date(NOW - HOUR).toISOString()
  return { ...item(number), state: 'building', claimedByAgentId: `agent-${by}`, claimedAt, fence: 3, ...more }
}
function facts(more: Partial<OrderFacts> = {}): OrderFacts {
  return { now: NOW, claimMs: 8 * HOUR, agents: [], held: [], queued: [], item: null, purged: [], ...more }
}
const stopped = { wanted: 'stopped', alive: false, status: 'stopped' } as const

verifies('ORCH-5.5-10', 'the impact names how many agents are hit and what they are working on', () => {
  const { impact } = impactOf(
    { is: 'emergency_stop' },
    facts({ agents: [agent(1, 42), agent(2, 43), agent(3, 44), agent(4, null, stopped)] }),
  )
  expect(impact.text).toContain('This will stop 3 active agents working on projects #42, #43, #44')
  expect(impact.text).toContain('agent-1 (#42), agent-2 (#43), agent-3 (#44)')
  expect(impact.agents.map(({ id }) => id)).toEqual(['agent-1', 'agent-2', 'agent-3'])
  expect(impact.items).toEqual([item(42), item(43), item(44)])
})

const SAID: readonly [order: Order, facts: Partial<OrderFacts>, text: string | RegExp][] = [
  [{ is: 'emergency_stop' }, {}, 'No agent is there to stop'],
  [{ is: 'emergency_stop' }, { agents: [agent(1, null, stopped)] }, 'No agent is there to stop'],
  [{ is: 'emergency_stop' }, { agents: [agent(1)] }, /^This will stop 1 active agent: agent-1\./],
  [
    { is: 'emergency_stop' },
    { agents: [agent(1, 4)] },
    /1 active agent working on project #4: agent-1 \(#4\)/,
  ],
  [
    { is: 'emergency_stop' },
    { agents: [agent(1, 4)], held: [held(4, 1), held(5, 9)] },
    /agent-1 \(#4\)\. They are killed.*\. 1 claim of others too: #5 \(agent-9\)$/,
  ],
  // A process that should not be there is stopped too.
  [{ is: 'emergency_stop' }, { agents: [agent(1, null, { wanted: 'stopped' })] }, /stop 1 active agent/],
  [{ is: 'stop_all' }, { agents: [agent(1, 4), agent(2)] }, /stop 2 active agents working on project #4/],
  // Whoever works over the API alone has no process that could end; what it holds stays with it.
  [
    { is: 'stop_all' },
    { agents: [agent(1, 4), agent(7, 9, stopped)], held: [held(4, 1), held(9, 7)] },
    /stop 1 active agent working on project #4: .*\. 1 claim of others without a process here stays: #9 \(agent-7\)$/,
  ],
  [
    { is: 'pause_all', now: false },
    { agents: [agent(1), agent(2, null, { wanted: 'paused' })] },
    /^This will pause 1 active agent: agent-1\./,
  ],
  [
    { is: 'resume_all' },
    { agents: [agent(1), agent(2, null, { wanted: 'paused' })] },
    /^This will resume 1 active agent: agent-2\./,
  ],
  [
    { is: 'reassign', item: item(5), to: null },
    { item: held(5, 1), agents: [agent(1, 5), agent(2)] },
    'This will take #5 from agent-1 and put it back in the queue for the others; what was done so far is kept',
  ],
  [
    { is: 'reassign', item: item(5), to: null },
    { item: held(5, 1), agents: [agent(1, 5), agent(2, null, stopped)] },
    /take #5 from agent-1 and put it back.*\. No other agent is running, so agent-1 may take it again$/,
  ],
  [
    { is: 'reassign', item: item(5), to: 'agent-2' },
    { item: held(5, 1), agents: [agent(1, 5), agent(2)] },
    'This will take #5 from agent-1 and give it to agent-2; what was done so far is kept',
  ],
  [
    { is: 'reassign', item: item(5), to: 'agent-2' },
    { item: held(5, 1), agents: [agent(1, 5), agent(2, null, stopped)] },
    /agent-2 is not running, so anybody may take it$/,
  ],
  [
    { is: 'reassign', item: item(5), to: 'agent-2' },
    { item: held(5, 1, { claimedByAgentId: null }), agents: [agent(2)] },
    'This will keep #5 for agent-2',
  ],
  [
    { is: 'reset', agentId: 'agent-1' },
    { agents: [agent(1, 4)] },
    'This will stop agent-1 working on project #4, reset the session file of agent-1, count its tasks and errors from zero and start it from idle. Costs and the audit log stay',
  ],
  [
    { is: 'reset', agentId: 'agent-1' },
    { agents: [agent(1, null, stopped)] },
    /^This will reset the session file of agent-1 and count its tasks and errors from zero\./,
  ],
  [{ is: 'recover' }, { held: [held(5, 1)], agents: [agent(1, 5)] }, 'No claim is stuck'],
  [
    { is: 'recover' },
    {
      held: [held(5, 1), held(6, 2, { claimedAt: new Date(NOW - 9 * HOUR).toISOString() })],
      agents: [agent(1, 5, stopped), agent(2, 6)],
    },
    'This will release 2 claims and return the items to the backlog: #5 (agent-1 is gone), #6 (held by agent-2 for 9 h 0 min)',
  ],
  [{ is: 'purge' }, {}, 'The queue is empty'],
  [
    { is: 'purge' },
    {
      queued: Array.from({ length: 22 }, (_, at) => ({
        ...item(at + 1),
        state: 'todo' as const,
        reason: null,
      })),
    },
    /^This will withdraw 22 items from the queue: #1, .*, #20 and 2 more\. Nothing is closed elsewhere/,
  ],
  [{ is: 'undo_purge', purge: null }, {}, 'There is no purge to undo'],
  [
    { is: 'rollback', phase: 3 },
    { agents: [agent(1, 4)] },
    /^This will set flags\.enable_review_agent to false in treadle\.json\. This will stop 1 active agent/,
  ],
]

test.each(SAID)('%j with %j', (order, more, text) => {
  const said = impactOf(order, facts(more)).impact.text
  if (typeof text === 'string') expect(said).toBe(text)
  else expect(said).toMatch(text)
})

describe('a yes covers', () => {
  const key = (order: Order, more: Partial<OrderFacts>) => impactOf(order, facts(more)).key
  const stop: Order = { is: 'emergency_stop' }

  test('an emergency stop while the same agents go from item to item, and not once another one is there', () => {
    expect(key(stop, { agents: [agent(1, 4)] })).toBe(key(stop, { agents: [agent(1, 5)] }))
    expect(key(stop, { agents: [agent(1, 4)] })).not.toBe(key(stop, { agents: [agent(1, 4), agent(2)] }))
  })

  test('a reassignment of one claim, and not of the next', () => {
    const order: Order = { is: 'reassign', item: item(5), to: 'agent-2' }
    expect(key(order, { item: held(5, 1) })).not.toBe(key(order, { item: held(5, 1, { fence: 4 }) }))
    expect(key(order, { item: held(5, 1) })).not.toBe(key(order, { item: held(5, 3) }))
  })

  test('a purge of exactly these items', () => {
    const queued = [1, 2].map((n) => ({ ...item(n), state: 'todo' as const, reason: null }))
    expect(key({ is: 'purge' }, { queued })).not.toBe(key({ is: 'purge' }, { queued: queued.slice(1) }))
  })
})

const ticket: Ticket = { order: 'o', impact: 'i', expiresAt: NOW + CONFIRM_MS }
test('what destroys something is done only with a confirmation of just that', () => {
  const base = { needed: true, order: 'o', impact: 'i', ticket, now: NOW }
  expect(judgeConfirm(base)).toEqual({ is: 'go' })
  expect(judgeConfirm({ ...base, needed: false, ticket: null })).toEqual({ is: 'go' })
  for (const facts of [
    { ...base, ticket: null },
    { ...base, order: 'another' },
    { ...base, impact: 'changed' },
    { ...base, now: NOW + CONFIRM_MS },
  ])
    expect(judgeConfirm(facts)).toMatchObject({ is: 'ask' })
  const asks = (['emergency_stop', 'stop_all', 'recover', 'purge'] as const).map((is) => needsConfirm({ is }))
  expect(asks).toEqual([true, true, true, true])
  expect(needsConfirm({ is: 'reassign', item: item(1), to: null })).toBe(true)
  expect(needsConfirm({ is: 'reset', agentId: 'agent-1' })).toBe(true)
  expect(needsConfirm({ is: 'rollback', phase: 2 })).toBe(true)
  expect(needsConfirm({ is: 'resume_all' })).toBe(false)
})

const HELD: readonly [facts: Partial<StuckFacts>, stuck: 'old' | 'holder_dead' | null][] = [
  [{}, null],
  [{ claimedAt: NOW - 8 * HOUR }, null],
  [{ claimedAt: NOW - 8 * HOUR - 1 }, 'old'],
  [{ holder: null }, 'holder_dead'],
  [{ holder: { status: 'stopped', wanted: 'stopped', alive: false } }, 'holder_dead'],
  [{ holder: { status: 'failed', wanted: 'running', alive: false } }, 'holder_dead'],
  // It is being stopped and may still report.
  [{ holder: { status: 'working', wanted: 'stopped', alive: true } }, null],
  // The supervisor starts it again, and it takes up what it holds.
  [{ holder: { status: 'crashed', wanted: 'running', alive: false } }, null],
  [{ holder: { status: 'paused', wanted: 'paused', alive: true } }, null],
]
test.each(HELD)('a claim with %j is stuck because it is %s', (more, because) => {
  const holder = { status: 'working', wanted: 'running', alive: true } as const
  const choice = judgeStuck({ now: NOW, claimedAt: NOW - HOUR, claimMs: 8 * HOUR, holder, ...more })
  expect(choice).toEqual(because === null ? { is: 'fine' } : { is: 'stuck', because })
})
