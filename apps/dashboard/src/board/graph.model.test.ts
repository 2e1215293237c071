import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { graphOf, graphWords } from './graph.model.ts'

const item = (number: number, more: Partial<Item> = {}) =>
  blankItem({ number, title: `Item ${number}`, createdAt: '2026-11-15T12:00:00.000Z', ...more })
const places = (items: Item[], max = 100) =>
  Object.fromEntries(
    graphOf(items, max).nodes.map(({ item: { number }, layer, row }) => [number, [layer, row]]),
  )

test('each item is behind the longest way to it, and those without links are only counted', () => {
  const items = [
    item(1),
    item(2, { dependsOn: [1] }),
    item(3, { dependsOn: [1, 2] }),
    item(4, { parent: 1 }),
    item(5),
  ]
  expect(places(items)).toEqual({ 1: [0, 0], 2: [1, 0], 3: [2, 0], 4: [1, 1] })
  expect(graphOf(items, 100)).toMatchObject({ layers: 3, rows: 2, alone: 1, leftOut: 0 })
  expect(graphWords(graphOf(items, 100))).toEqual([
    '#1 Item 1: waits for nothing here',
    '#2 Item 2: waits for #1',
    '#3 Item 3: waits for #1, #2',
    '#4 Item 4: is part of #1',
  ])
})

test('a parent that waits for its part is a circle, and ends', () => {
  const items = [item(1, { dependsOn: [2] }), item(2, { parent: 1 })]
  expect(graphOf(items, 100).nodes).toHaveLength(2)
})

test('links to items that are not there, and to the same number of another project, are none', () => {
  expect(graphOf([item(1, { dependsOn: [9] }), item(9, { projectNumber: 2 })], 100)).toMatchObject({
    nodes: [],
    alone: 2,
  })
})

test('more than there is room for are counted', () => {
  const items = [item(1), ...Array.from({ length: 9 }, (_, index) => item(index + 2, { dependsOn: [1] }))]
  expect(graphOf(items, 4)).toMatchObject({ leftOut: 6, rows: 3 })
})

test('a chain as long as can be is drawn', () => {
  const items = Array.from({ length: 2_000 }, (_, index) =>
    item(index + 1, { dependsOn: index === 0 ? [] : [index] }),
  )
  expect(graphOf(items, 2_000).layers).toBe(2_000)
})
