import type { TreadleEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { RUN } from '../work/testing/sample.ts'
import { conversationHolder, isKept, KEPT_MS } from './conversation-holder.ts'

const AT = Date.parse('2026-11-17T12:00:00.000Z')
const OTHER_RUN = '00000000-0000-4000-8000-00000000000b'
const told = (event: TreadleEvent, runId: string | null = RUN) => ({
  at: new Date(AT).toISOString(),
  agentId: 'agent-1' as const,
  runId,
  event,
})
const claimed = told({ type: 'claim.taken', agentId: 'agent-1', runId: RUN })
const talked = told({ type: 'run.session', engine: 'native', session: 's1' })
const restsUntil = new Date(AT + 5_000).toISOString()
const rested = told({ type: 'claim.released', why: 'overloaded', engine: 'native', restsUntil })
const rejected = told({ type: 'review.rejected', by: 'ada', feedback: 'not yet' })
const HOLDER = { agentId: 'agent-1', engine: 'native', since: AT }

test.each([
  ['after a rest, from when that is over', [claimed, talked, rested], { ...HOLDER, since: AT + 5_000 }],
  ['after a review', [claimed, talked, rejected], HOLDER],
  [
    'after a merge that failed',
    [claimed, talked, told({ type: 'merge.failed', gates: [], why: 'red' })],
    HOLDER,
  ],
  ['nobody before anything happened', [], null],
  ['nobody where there was no conversation', [claimed, rested], null],
  ['nobody where it is held', [claimed, talked], null],
  [
    'nobody where somebody took it away',
    [claimed, talked, told({ type: 'claim.released', why: 'needed elsewhere' })],
    null,
  ],
  [
    'nobody where it is to start anew',
    [claimed, talked, told({ type: 'review.rejected', by: 'ada', feedback: 'no', fresh: true })],
    null,
  ],
  [
    'nobody where another engine was in trouble',
    [claimed, talked, told({ type: 'claim.released', why: 'overloaded', engine: 'codex' })],
    null,
  ],
  [
    'nobody where a later run has none',
    [claimed, talked, told({ type: 'claim.taken', agentId: 'agent-2', runId: OTHER_RUN }, OTHER_RUN), rested],
    null,
  ],
])('who has the conversation: %s', (_, events, holder) => {
  expect(conversationHolder(events)).toEqual(holder)
})

test('it is kept for that agent for a while, with the same engine, as long as the agent is there', () => {
  const holder = { ...HOLDER, agentId: 'agent-1' } as const
  const facts = { holder, engine: 'native', isThere: true, now: AT + KEPT_MS - 1 }
  expect(isKept(facts)).toBe(true)
  expect(isKept({ ...facts, now: AT + KEPT_MS })).toBe(false)
  expect(isKept({ ...facts, engine: 'codex' })).toBe(false)
  expect(isKept({ ...facts, isThere: false })).toBe(false)
})
