import { expect, test } from 'vitest'
import { judgeUnattended, type UnattendedFacts } from './unattended.ts'

const agent = { id: 'agent-1', wanted: 'running', status: 'idle', busy: false } as const
const facts = (more: Partial<UnattendedFacts>): UnattendedFacts => ({
  slug: 'lamp',
  thought: { kind: 'idea_reply', status: 'pending', agentId: null, engine: 'native' },
  agents: [agent],
  rest: null,
  hold: null,
  ...more,
})
const held = { kind: 'idea_reply', status: 'claimed', agentId: 'agent-1', engine: 'native' } as const
const rest = { why: 'too many requests', until: '2026-01-02T03:04:05.000Z' }
const paused = { ...agent, wanted: 'paused' } as const

test.each<[string, Partial<UnattendedFacts>, string | null]>([
  ['somebody is free', {}, null],
  ['one of two is free', { agents: [{ ...agent, busy: true }, agent] }, null],
  ['it is thought about', { thought: held, agents: [{ ...agent, busy: true }] }, null],
  [
    'it is thought about, whoever else is paused',
    { thought: held, agents: [agent, { ...paused, id: 'agent-2' }] },
    null,
  ],
  ['its holder is gone and may come back', { thought: held, agents: [] }, null],
  ['nobody is there', { agents: [] }, 'no_agent'],
  [
    'all were stopped or have failed',
    {
      agents: [
        { ...agent, wanted: 'stopped' },
        { ...agent, status: 'failed' },
      ],
    },
    'no_agent',
  ],
  ['all are paused', { agents: [paused, paused] }, 'paused'],
  ['its holder is paused', { thought: held, agents: [paused, { ...agent, id: 'agent-2' }] }, 'paused'],
  ['all are at work', { agents: [{ ...agent, busy: true }, paused] }, 'busy'],
  ['the engine rests', { rest }, 'engine_rests'],
  ['the engine rests, and somebody tries', { rest, thought: held }, null],
  ['there is no money', { hold: 'The day has no money left.', rest, thought: held }, 'no_money'],
])('%s', (_, more, reason) => {
  expect(judgeUnattended(facts(more))?.reason ?? null).toBe(reason)
})

test('it says what it waits for and what to do', () => {
  expect(judgeUnattended(facts({ rest }))).toEqual({
    reason: 'engine_rests',
    words: 'native rests until 03:04:05 UTC: too many requests',
    hint: 'Or answer questions instead: treadle idea say lamp "…" --engine none',
  })
  expect(judgeUnattended(facts({ agents: [] }))?.hint).toContain('treadle agent start')
  expect(judgeUnattended(facts({ agents: [paused] }))?.hint).toContain('treadle resume-all')
  const thought = { ...facts({}).thought, kind: 'spec_write' } as const
  expect(judgeUnattended(facts({ agents: [], thought }))?.hint).toBe(
    'Start one: treadle agent start. Or leave it to rules: treadle spec generate lamp --engine none',
  )
})
