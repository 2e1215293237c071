import { expect, test } from 'vitest'
import { decideRank } from './rank.ts'

const item = (number: number, given: { rank?: number; priority?: number; state?: 'done' | 'todo' } = {}) => ({
  number,
  rank: given.rank ?? number,
  priority: given.priority ?? null,
  state: given.state ?? ('todo' as const),
})
const moved = { number: 3, priority: null }

test.each([
  ['first', 0, null],
  ['last', 4.5, null],
  ['before:2', 1.5, null],
  ['after:2', 3, null],
  ['before:1', 0, null],
  ['after:4', 4.5, null],
])('#3 of four moved %s has rank %d', (move, rank, priority) => {
  const all = [item(1), item(2), item(3), item(4)]
  expect(decideRank(all, moved, move)).toEqual({ is: 'placed', rank, priority })
})

test('a place beside an item of another priority takes that priority, and stands among those', () => {
  const all = [item(1, { priority: 2 }), item(2, { priority: 2 }), item(3), item(4)]
  expect(decideRank(all, moved, 'after:1')).toEqual({ is: 'placed', rank: 1.5, priority: 2 })
  expect(decideRank(all, { number: 3, priority: 2 }, 'last')).toEqual({
    is: 'placed',
    rank: 3.5,
    priority: 2,
  })
})

test('what is over does not count, and nothing is moved beside it, beside itself or beside nothing', () => {
  const all = [item(1, { state: 'done' }), item(2), item(3)]
  expect(decideRank(all, moved, 'first')).toEqual({ is: 'placed', rank: 0, priority: null })
  for (const [move, why] of [
    ['before:1', '#1 is done, and has no place in the queue'],
    ['after:3', '#3 cannot be moved beside itself'],
    ['after:9', 'there is no item #9'],
  ] as const)
    expect(decideRank(all, moved, move)).toEqual({ is: 'refused', why })
})

test('where no number is left between two, that is said; and whatever is added later stays behind the last', () => {
  expect(decideRank([item(1, { rank: 2 }), item(2), item(3)], moved, 'before:2')).toEqual({ is: 'crowded' })
  let last = item(2)
  let moves = 0
  for (; moves < 100; moves += 1) {
    const choice = decideRank([item(1), last, item(3)], moved, 'last')
    if (choice.is !== 'placed') break
    expect(choice.rank).toBeLessThan(4)
    last = item(2, { rank: choice.rank })
  }
  expect(moves).toBeGreaterThan(20)
})
