import { blankItem, type Item, ItemState } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { columnsOf, decideDrop, decideStep, isOrdered } from './columns.model.ts'

function item(number: number, state: ItemState = 'todo', more: Partial<Item> = {}): Item {
  return blankItem({ number, title: `Item ${number}`, state, createdAt: '2026-11-15T12:00:00.000Z', ...more })
}
const shape = (items: Item[]) =>
  Object.fromEntries(columnsOf(items).map(({ id, items: held }) => [id, held.map(({ number }) => number)]))

test('columns stand in the order of the flow, also without items, and every state has one', () => {
  expect(columnsOf([]).map(({ title }) => title)).toEqual([
    'Backlog',
    'To do',
    'Building',
    'Checking',
    'Review',
    'Needs you',
    'Done',
  ])
  const all = ItemState.options.map((state, index) => item(index + 1, state))
  expect(columnsOf(all).flatMap(({ items }) => items)).toHaveLength(ItemState.options.length)
  expect(shape([item(1, 'backlog', { needsHuman: true })]).needs_you).toEqual([1])
})

test('the queue is shown as it is claimed: rework, priority, rank, age', () => {
  const items = [
    item(1),
    item(2, 'todo', { priority: 5 }),
    item(3, 'todo', { priority: 0 }),
    item(4, 'todo', { rank: 0.5 }),
    item(5, 'rework'),
  ]
  expect(shape(items).todo).toEqual([5, 3, 2, 4, 1])
})

const todo = { id: 'todo', items: [item(1), item(2), item(3, 'todo', { priority: null })] } as const
test.each([
  [1, 3, { is: 'rank', rank: 'after:3' }],
  [1, 2, { is: 'rank', rank: 'after:2' }],
  [3, 0, { is: 'rank', rank: 'before:1' }],
  [3, 1, { is: 'rank', rank: 'before:2' }],
  [2, 1, { is: 'nothing' }],
  [2, 2, { is: 'nothing' }],
])('#%d dropped at %d', (number, index, move) => {
  expect(decideDrop(todo.items[number - 1] as Item, todo, index)).toMatchObject(move)
})

test('up and down by one place; who is first or last is told so', () => {
  const [first, , last] = todo.items
  expect(decideStep(first, todo, 1)).toMatchObject({ rank: 'after:2' })
  expect(decideStep(last, todo, -1)).toMatchObject({ rank: 'before:2' })
  expect(decideStep(first, todo, -1)).toEqual({ is: 'refused', why: '#1 is already first.' })
  expect(decideStep(last, todo, 1)).toEqual({ is: 'refused', why: '#3 is already last.' })
})

test('a place beside another priority takes it, and says so', () => {
  const items = [item(1, 'todo', { priority: 2 }), item(2)]
  expect(decideDrop(items[1] as Item, { id: 'todo', items }, 0)).toEqual({
    is: 'rank',
    rank: 'before:1',
    words: '#2 is now before #1 and takes its priority, 2.',
  })
})

test.each(ItemState.options)(
  '%s goes to no other column, but back to the queue, without a reason',
  (state) => {
    for (const { id, items } of columnsOf([])) {
      const move = decideDrop(item(9, state), { id, items }, 0)
      if (move.is === 'refused') expect(move.why.length).toBeGreaterThan(20)
      else if (move.is === 'reopen')
        expect([isOrdered(id), ['escalated', 'conflicted', 'withdrawn']]).toEqual([
          true,
          expect.arrayContaining([state]),
        ])
      else expect([move.is, isOrdered(id)]).toEqual(['nothing', true])
    }
  },
)

test('rework and other projects are not ordered', () => {
  const items = [item(1, 'rework'), item(2), item(3, 'todo', { projectNumber: 2 })]
  expect(decideDrop(items[1] as Item, { id: 'todo', items }, 0)).toMatchObject({ is: 'refused' })
  expect(decideDrop(items[1] as Item, { id: 'todo', items }, 3)).toMatchObject({ is: 'refused' })
})
