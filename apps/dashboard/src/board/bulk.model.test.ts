import { blankItem, type ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { type BulkAction, bulkOutcome, bulkTitle, cameOfOne, heldIn, splitBulk } from './bulk.model.ts'

const item = (number: number, state: ItemState) =>
  blankItem({ number, title: `Item ${number}`, state, createdAt: '2026-11-15T12:00:00.000Z' })
const items = [
  item(1, 'todo'),
  item(2, 'building'),
  item(3, 'escalated'),
  item(4, 'done'),
  item(5, 'withdrawn'),
]

test.each<[BulkAction, number[], number]>([
  [{ is: 'priority', to: 1 }, [1, 2, 3], 2],
  [{ is: 'assign', to: 'agent-1' }, [1, 2], 3],
  [{ is: 'withdraw' }, [1, 2, 3], 2],
  [{ is: 'reopen' }, [3, 5], 3],
])('%j fits %j and leaves %d, each with a reason', (action, numbers, left) => {
  const split = splitBulk(items, action)
  expect(split.fitting.map(({ number }) => number)).toEqual(numbers)
  expect(split.left).toHaveLength(left)
})

test('what an assignment takes from agents is named, and what came of one item is said', () => {
  const held = { ...item(2, 'building'), claimedByAgentId: 'agent-3' }
  expect(heldIn([item(1, 'todo'), held], { is: 'assign', to: 'agent-1' })).toEqual(['#2 (agent-3)'])
  expect(heldIn([held], { is: 'withdraw' })).toEqual([])
  expect(cameOfOne(held, { is: 'assign', to: 'agent-1' })).toBe('#2 now waits for agent-1.')
  expect(cameOfOne(held, { is: 'priority', to: null })).toBe('#2 has no priority any more.')
})

test('questions and outcomes count', () => {
  expect(bulkTitle({ is: 'withdraw' }, 1)).toBe('Withdraw 1 item?')
  expect(bulkTitle({ is: 'priority', to: null }, 1_200)).toBe('Clear the priority of 1,200 items?')
  expect(bulkTitle({ is: 'assign', to: 'agent-2' }, 2)).toBe('Assign 2 items to agent-2?')
  expect(bulkOutcome({ is: 'reopen' }, 2, [])).toBe('2 items reopened.')
  expect(bulkOutcome({ is: 'reopen' }, 2, ['#4: no.'])).toBe('2 items reopened. 1 item refused: #4: no.')
})
