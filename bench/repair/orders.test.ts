import { expect, test } from 'vitest'
import { drawOrder } from './draw.ts'
import { countOurs, countRandom, type OrderRow, pairOf, summariesOf } from './orders.ts'

const found = { firstGreen: 12, candidates: 12, outOfTime: false }
const nothing = { firstGreen: null, candidates: 80, outOfTime: false }
const late = { firstGreen: null, candidates: 80, outOfTime: true }

test.each([
  ['found', found, { candidates: 12, green: true }, { candidates: 12, green: true }],
  ['all tried', nothing, { candidates: 100, green: false }, { candidates: 100, green: false }],
  ['out of time', late, { candidates: 100, green: false }, { candidates: 80, green: false }],
] as const)('%s: ours is counted against us, random in its favour', (_, outcome, ours, random) => {
  expect(countOurs(outcome, 100)).toEqual(ours)
  expect(countRandom(outcome, 100)).toEqual(random)
})

function row(id: string, ours: number, random: readonly number[], faults: OrderRow['faults'] = 'single') {
  const count = (candidates: number) => ({ candidates, green: candidates < 100 })
  return { id, faults, edits: 500, ours: count(ours), random: random.map(count) }
}

test('a bug that no order mends is not compared', () => {
  expect(pairOf(row('a', 100, [100, 100, 100]))).toBe(null)
  expect(pairOf(row('b', 100, [100, 20, 100]))).toEqual({ theirs: 100, ours: 100 })
  expect(pairOf(row('c', 5, [100, 20, 40]))).toEqual({ theirs: 40, ours: 5 })
})

test('single faults are told apart from several', () => {
  const rows = [row('a', 5, [50]), row('b', 100, [100]), row('c', 10, [20], 'double')]
  const [single, several, all] = summariesOf(rows)
  expect(single).toMatchObject({ bugs: 2, pairs: 1, oursGreen: 1, randomGreen: 1, medianRatio: 10 })
  expect(several).toMatchObject({ bugs: 1, pairs: 1, medianRatio: 2 })
  expect(all).toMatchObject({ bugs: 3, pairs: 2, oursGreen: 2, medianOurs: 5, medianRandom: 20 })
})

test('a seed gives one order, another seed another, and nothing is lost', () => {
  const items = Array.from({ length: 200 }, (_, index) => index)
  const one = drawOrder('1', items, String)
  expect(drawOrder('1', items, String)).toEqual(one)
  expect(drawOrder('2', items, String)).not.toEqual(one)
  expect(one).not.toEqual(items)
  expect(one.toSorted((a, b) => a - b)).toEqual(items)
})
