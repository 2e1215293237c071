import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { newestOf, SHOWN_MAX } from './activity.model.ts'

const stored = (number: number, agentId: string, type: 'claim.taken' | 'run.used' = 'claim.taken') =>
  ({ cursor: `1.${number}`, agentId, event: { type } }) as StoredEvent

verifies('AC-5.1.f', 'of more than 50 events the oldest are left out', () => {
  expect(SHOWN_MAX).toBe(50)
  const events = Array.from({ length: 60 }, (_, index) => stored(60 - index, 'agent-1'))
  const shown = newestOf(events, null)
  expect(shown.map(({ cursor }) => cursor)).toEqual(events.slice(0, 50).map(({ cursor }) => cursor))
})

test('of one agent every step is shown, and nothing of others', () => {
  const events = [stored(3, 'agent-1', 'run.used'), stored(2, 'agent-2'), stored(1, 'agent-1')]
  expect(newestOf(events, 'agent-1').map(({ cursor }) => cursor)).toEqual(['1.3', '1.1'])
  expect(newestOf(events, null).map(({ cursor }) => cursor)).toEqual(['1.2', '1.1'])
})

verifies(
  'ORCH-5.1-2',
  'the feed has claims, reviews and new ideas, each as a sentence with who and what',
  () => {
    const about = (number: number, agentId: string | null, event: StoredEvent['event']): StoredEvent => ({
      cursor: `1.${number}`,
      id: `e-${number}`,
      at: '2026-11-15T12:00:00.000Z',
      item: { projectNumber: 1, number: 40 + number },
      agentId,
      runId: null,
      state: null,
      event,
    })
    const approval = { kind: 'reviewer', by: 'review-agent', at: '2026-11-15T12:00:00.000Z' } as const
    const events = [
      about(3, 'agent-3', { type: 'idea.generated', category: 'security', title: 'Check the session' }),
      about(2, 'review-agent', { type: 'review.approved', approval, head: 'a'.repeat(40) }),
      about(1, 'agent-1', { type: 'claim.taken', agentId: 'agent-1', runId: crypto.randomUUID() }),
    ]
    expect(newestOf(events, null).map((event) => sentence(event).text)).toEqual([
      'agent-3 generated new idea: Check the session',
      'review-agent approved #42',
      'agent-1 claimed #41',
    ])
  },
)
