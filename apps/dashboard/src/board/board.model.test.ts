import { blankItem, type Item, type ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { groupItems } from './board.model.ts'

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
const shape = (items: Item[]) =>
  groupItems(items, 'human').map(({ id, items: members }) => [id, ...members.map(({ number }) => number)])

test('groups come in the order a reader wants, without empty ones', () => {
  const items = [
    item(1, 'done'),
    item(2, 'withdrawn'),
    item(3, 'backlog'),
    item(4, 'todo'),
    item(5, 'merging'),
    item(6, 'building'),
    item(7, 'verifying'),
    item(8, 'escalated'),
  ]
  expect(shape(items)).toEqual([
    ['needs_you', 8],
    ['in_progress', 6, 7],
    ['in_review', 5],
    ['todo', 4],
    ['backlog', 3],
    ['done', 1],
    ['withdrawn', 2],
  ])
  expect(shape([])).toEqual([])
})

test('the queue is by priority and then number, without priority last', () => {
  const items = [
    item(1, 'todo'),
    item(2, 'todo', { priority: 5 }),
    item(3, 'todo', { priority: 0 }),
    item(4, 'todo'),
  ]
  expect(shape(items)).toEqual([['todo', 3, 2, 1, 4]])
})

test('of ended items the latest is first', () => {
  expect(shape([item(1, 'done'), item(3, 'done'), item(2, 'done')])).toEqual([['done', 3, 2, 1]])
})

test('who waited longest is first among those that need you', () => {
  const late = item(1, 'in_review', { updatedAt: '2026-11-15T12:30:00.000Z' })
  expect(shape([late, item(2, 'escalated')])).toEqual([['needs_you', 2, 1]])
})

test('the same number in two projects is two items', () => {
  expect(shape([item(1, 'todo', { projectNumber: 2 }), item(1, 'todo')])).toEqual([['todo', 1, 1]])
})
