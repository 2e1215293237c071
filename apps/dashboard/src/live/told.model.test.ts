import { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { lastTold } from './told.model.ts'

const told = (cursor: string, event: object) =>
  StoredEvent.parse({
    cursor,
    id: `event:${cursor}`,
    at: '2026-11-18T12:00:00.000Z',
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event,
  })

const events = [
  told('1.3', { type: 'spec.approved', spec: 'tea', revision: 1, by: 'ada' }),
  told('1.2', { type: 'idea.phase_changed', idea: 'list', from: 'EXPLORING', to: 'NARROWING' }),
]

test('the newest event about an idea or its specification is found; others do not count', () => {
  expect(lastTold(events, 'tea')).toBe('1.3')
  expect(lastTold(events, 'list')).toBe('1.2')
  expect(lastTold(events, 'other')).toBe('')
  expect(lastTold(events, null)).toBe('1.3')
})
