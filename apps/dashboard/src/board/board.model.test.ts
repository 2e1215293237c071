import { blankItem, type Item, ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import type { Snapshot } from '../live/live.model.ts'
import { actionOf, approvalWords, needing, needsYou, shorten } from './board.model.ts'

function item(number: number, state: ItemState, more: Partial<Item> = {}): Item {
  return blankItem({
    number,
    title: `Item ${number}`,
    state,
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: `2026-11-15T12:00:${String(number).padStart(2, '0')}.000Z`,
    ...more,
  })
}
test.each([
  { state: 'in_review', approval: 'human', needs: true },
  { state: 'in_review', approval: 'reviewer', needs: false },
  { state: 'in_review', approval: 'checks', needs: false },
  { state: 'escalated', approval: 'checks', needs: true },
  { state: 'building', approval: 'human', needs: false },
  { state: 'done', approval: 'human', needs: false },
] as const)('$state under $approval needs you: $needs', ({ state, approval, needs }) => {
  expect(needsYou(item(1, state), approval)).toBe(needs)
})

test('an item that asks for a person needs you in any state', () => {
  expect(needsYou(item(1, 'conflicted', { needsHuman: true }), 'checks')).toBe(true)
})

test('who waited longest is first among those that need you', () => {
  const late = item(1, 'in_review', { updatedAt: '2026-11-15T12:30:00.000Z' })
  const workspace = { config: { merge: { approval: 'human' } } } as Snapshot['workspace']
  const group = needing({ items: [late, item(3, 'todo'), item(2, 'escalated')], workspace })
  expect(group?.items.map(({ number }) => number)).toEqual([2, 1])
  expect(needing({ items: [item(3, 'todo')], workspace })).toBeUndefined()
})

test.each(ItemState.options.map((state) => ({ state })))('what can be done with $state', ({ state }) => {
  const actions: Partial<Record<ItemState, string>> = {
    in_review: 'approve',
    escalated: 'reopen',
    conflicted: 'reopen',
  }
  expect(actionOf(item(1, state))).toBe(actions[state] ?? null)
})

test.each([
  ['human', 'Merges wait for your approval'],
  ['reviewer', 'The review agent approves merges'],
  ['checks', 'Merges by standing order when all checks pass'],
  ['never', 'Nothing is merged; branches are only pushed'],
] as const)('merge.approval %s is said as: %s', (approval, words) => {
  expect(approvalWords(approval)).toBe(words)
})

test.each([
  ['short', 10, 'short'],
  ['one two three four', 12, 'one two…'],
  ['abcdefghijklmnop', 8, 'abcdefgh…'],
])('%j in %d characters is %j', (text, max, shown) => {
  expect(shorten(text, max)).toBe(shown)
})
