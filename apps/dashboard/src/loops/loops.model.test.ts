import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import { blankItem } from '@treadle/contracts/item'
import { runId } from '@treadle/contracts/words/samples'
import { expect, test } from 'vitest'
import { goalStateIn, latestOf, statesOf } from './loops.model.ts'

const item = (number: number, minute: number, claimedByAgentId: string | null = null) => {
  const at = `2026-11-15T12:${String(minute).padStart(2, '0')}:00.000Z`
  return { ...blankItem({ number, title: 'x', createdAt: at, claimedByAgentId }), updatedAt: at }
}

test.each([
  { items: [], chosen: null, is: null },
  { items: [item(1, 1), item(2, 5)], chosen: null, is: 2 },
  { items: [item(1, 1, 'agent-1'), item(2, 5)], chosen: null, is: 1 },
  { items: [item(1, 1, 'agent-1'), item(2, 5)], chosen: { projectNumber: 1, number: 2 }, is: 2 },
  { items: [item(1, 1)], chosen: { projectNumber: 9, number: 9 }, is: 1 },
])('of $items.length items with $chosen chosen, $is is shown', ({ items, chosen, is }) => {
  expect(latestOf(items, chosen)?.number ?? null).toBe(is)
})

test('the states lit are those of the item, its agent and its run', () => {
  const held = { ...item(1, 1, 'agent-1'), state: 'building' as const }
  const agents = [{ id: 'agent-1', status: 'working', runStatus: 'active' }] as Agent[]
  expect(statesOf(held, agents, 'acting')).toEqual({
    item: 'building',
    run: 'active',
    goal: 'acting',
    agent: 'working',
  })
  expect(statesOf(null, agents, null)).toEqual({ item: null, run: null, goal: null, agent: null })
})

test('a goal stands where it moved last', () => {
  const moved = (to: string, of = runId) => ({ runId: of, event: { type: 'run.moved', to } }) as StoredEvent
  expect(goalStateIn([moved('reflecting'), moved('planning')], runId)).toBe('reflecting')
  expect(goalStateIn([moved('acting', 'another')], runId)).toBeNull()
  expect(goalStateIn([], null)).toBeNull()
})
