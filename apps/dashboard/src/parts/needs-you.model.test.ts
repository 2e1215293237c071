import { blankItem, type Item, type ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { needsYou } from './needs-you.model.ts'

const item = (state: ItemState, more: Partial<Item> = {}) =>
  blankItem({ number: 1, title: 'x', state, createdAt: '2026-11-15T12:00:00.000Z', ...more })

test.each([
  { state: 'in_review', approval: 'human', needs: true },
  { state: 'in_review', approval: 'reviewer', needs: false },
  { state: 'in_review', approval: 'checks', needs: false },
  { state: 'escalated', approval: 'checks', needs: true },
  { state: 'building', approval: 'human', needs: false },
  { state: 'done', approval: 'human', needs: false },
] as const)('$state under $approval needs you: $needs', ({ state, approval, needs }) => {
  expect(needsYou(item(state), approval)).toBe(needs)
})

test('an item that asks for a person needs you in any state', () => {
  expect(needsYou(item('conflicted', { needsHuman: true }), 'checks')).toBe(true)
})
