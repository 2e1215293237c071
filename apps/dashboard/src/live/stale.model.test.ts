import type { StoredEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { ALL_STALE, FRESH, staleAfter } from './stale.model.ts'

const about = (number: number | null, type: StoredEvent['event']['type']): StoredEvent => ({
  cursor: '100.1',
  id: 'event-1-id',
  at: '2026-11-15T12:00:00.000Z',
  item: number === null ? null : { projectNumber: 1, number },
  agentId: 'agent-1',
  runId: null,
  state: null,
  event: { type } as StoredEvent['event'],
})
const item = (number: number) => ({ projectNumber: 1, number })

test('words of engines make nothing stale; their tokens and phases make their item so, once', () => {
  expect(staleAfter(FRESH, [about(1, 'run.said'), about(2, 'run.observed')])).toEqual(FRESH)
  const told = [about(1, 'run.used'), about(2, 'run.phase'), about(1, 'run.phase')]
  expect(staleAfter(FRESH, told)).toEqual({ items: [item(1), item(2)], others: false })
})

test('what moves an item makes it stale, and what waits for people with it; several events add up', () => {
  const claimed = staleAfter(FRESH, [about(3, 'claim.taken')])
  expect(claimed).toEqual({ items: [item(3)], others: true })
  const added = staleAfter(claimed, [about(4, 'item.added'), about(null, 'agent.stopped')])
  expect(added).toEqual({ items: [item(3), item(4)], others: true })
})

test.each(['item.edited', 'order.given', 'daemon.started', 'recovery.acted'] as const)(
  'nobody can say which items %s changes',
  (type) => {
    expect(staleAfter(FRESH, [about(1, type), about(2, 'claim.taken')])).toEqual(ALL_STALE)
  },
)

test('all items stay stale until they are read, and many named ones are all', () => {
  expect(staleAfter(ALL_STALE, [about(1, 'run.used')])).toEqual(ALL_STALE)
  const many = Array.from({ length: 51 }, (_, index) => about(index + 1, 'item.added'))
  expect(staleAfter(FRESH, many.slice(1)).items).toHaveLength(50)
  expect(staleAfter(FRESH, many)).toEqual(ALL_STALE)
})
