import type { Machine } from '@treadle/contracts/machine'
import { expect, test } from 'vitest'
import { arrowsOf, draw, labelOf } from './state-graph.model.ts'

const names = ['todo', 'building', 'verifying', 'review', 'done', 'withdrawn']
const machine: Machine = {
  name: 'item',
  initial: 'todo',
  states: names.map((name) => ({ name, final: name === 'done' })),
  moves: [
    { from: 'todo', to: 'building', on: 'claim' },
    { from: 'todo', to: 'todo', on: 'remind' },
    { from: 'building', to: 'verifying', on: 'built' },
    { from: 'verifying', to: 'building', on: 'failed' },
    { from: 'verifying', to: 'review', on: 'passed' },
    { from: 'verifying', to: 'review', on: 'overruled' },
    { from: 'review', to: 'done', on: 'approved' },
    ...['todo', 'building', 'verifying', 'review'].map((from) => ({ from, to: 'withdrawn', on: 'withdraw' })),
  ],
}

test('moves between the same two states are one arrow, and general ways out are left out until asked for', () => {
  const arrows = arrowsOf(machine, false)
  expect(arrows.map(({ from, to }) => `${from}>${to}`)).toEqual([
    'todo>building',
    'building>verifying',
    'verifying>building',
    'verifying>review',
    'review>done',
  ])
  expect(arrows.map(labelOf)).toEqual(['claim', 'built', 'failed', 'passed +1', 'approved'])
  expect(arrowsOf(machine, true)).toHaveLength(9)
})

test.each([true, false])('every state and arrow has a place inside the drawing (narrow: %s)', (narrow) => {
  const drawing = draw(machine, { all: true, narrow })
  expect(drawing.states.map(({ name }) => name)).toEqual(names)
  for (const { x, y } of [...drawing.states, ...drawing.arrows.map(({ at }) => at)]) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x).toBeLessThanOrEqual(drawing.width)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThanOrEqual(drawing.height)
  }
  for (const { path } of drawing.arrows)
    expect(path).toMatch(/^M[-\d.]+,[-\d.]+( Q[-\d.]+,[-\d.]+ [-\d.]+,[-\d.]+)+$/)
  const other = draw(machine, { all: true, narrow: !narrow })
  expect(drawing.height > other.height).toBe(narrow)
})
