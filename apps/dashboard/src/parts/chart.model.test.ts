import { expect, test } from 'vitest'
import { ceilingOf, foldLayers, isLimitInSight, type Layer, stack, totalsOf } from './chart.model.ts'

const layer = (name: string, ...values: number[]): Layer => ({ name, colour: 0, values })

test('the largest layers stand at the bottom, and what is left over is one layer', () => {
  const few = [layer('a', 1, 1), layer('b', 5, 0)]
  expect(foldLayers(few).map(({ name }) => name)).toEqual(['b', 'a'])
  const many = [1, 2, 3, 4, 5, 6].map((value) => layer(`agent-${value}`, value, 0))
  const folded = foldLayers(many)
  expect(folded.map(({ name }) => name)).toEqual(['agent-6', 'agent-5', 'agent-4', 'all others'])
  expect(folded.map(({ colour }) => colour)).toEqual([0, 1, 2, 'rest'])
  expect(totalsOf(folded)).toEqual(totalsOf(many))
})

test('each layer ends where those below it and itself end', () => {
  expect(stack([layer('a', 1, 2), layer('b', 3, 0)])).toEqual([
    [1, 2],
    [4, 2],
  ])
  expect(stack([])).toEqual([])
  expect(totalsOf([])).toEqual([])
})

test.each([
  { highest: 10, limit: 50, is: false },
  { highest: 12.5, limit: 50, is: true },
  { highest: 80, limit: 50, is: true },
  { highest: 80, limit: 0, is: false },
  { highest: 80, limit: null, is: false },
])('a limit of $limit above bars of $highest is drawn: $is', ({ highest, limit, is }) => {
  expect(isLimitInSight({ layers: [layer('a', 0, highest)], limit })).toBe(is)
})

test.each([
  { highest: 0, limit: null, ceiling: 1 },
  { highest: 0, limit: 50, ceiling: 1 },
  { highest: 0.004, limit: null, ceiling: 0.005 },
  { highest: 1, limit: null, ceiling: 1.5 },
  { highest: 9.9, limit: null, ceiling: 10 },
  { highest: 37, limit: 50, ceiling: 60 },
  { highest: 3, limit: 50, ceiling: 4 },
])('bars of $highest and a limit of $limit end below $ceiling', ({ highest, limit, ceiling }) => {
  expect(ceilingOf({ layers: [layer('a', highest)], limit })).toBeCloseTo(ceiling, 9)
})
