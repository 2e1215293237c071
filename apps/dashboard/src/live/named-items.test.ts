import type { Client } from '@treadle/contracts/client'
import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { readNamed, withItems } from './named-items.ts'

const item = (number: number, given: Partial<Item> = {}) =>
  blankItem({ number, title: `Item ${number}`, createdAt: '2026-11-15T12:00:00.000Z', ...given })

test('fresh items take the place of the old ones, new ones come at their number, all others stay the same', () => {
  const known = [item(1), item(2), item(4), item(1, { projectNumber: 2 })]
  const [second, third] = [item(2, { title: 'Another' }), item(3)]
  const items = withItems(known, [third, second])
  expect(items.map(({ projectNumber, number }) => [projectNumber, number])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 1],
  ])
  expect(items[0]).toBe(known[0])
  expect(items[1]).toBe(second)
  expect(items[4]).toBe(known[3])
})

test('whatever waits for an item hears that it is done, and that it is not done any more', () => {
  const waits = item(3, { dependsOn: [1, 2, 9], blockedBy: [1, 2, 9] })
  const known = [item(1), item(2), waits, item(4, { projectNumber: 2, dependsOn: [1], blockedBy: [1] })]
  const done = withItems(known, [item(1, { state: 'done' })])
  expect(done.map(({ blockedBy }) => blockedBy)).toEqual([[], [], [2, 9], [1]])
  const again = withItems(done, [item(1)])
  expect(again[2]?.blockedBy).toEqual([1, 2, 9])
  expect(withItems(again, [item(2)])[2]).toBe(again[2])
})

test('only what was named is asked for, once for each project, and shown without what turns it around', async () => {
  const asked: unknown[] = []
  const listItems = async ({ query }: { query: { projectNumber: number; numbers: string } }) => {
    asked.push(query)
    const { projectNumber, numbers } = query
    return {
      items: numbers.split(',').map((number) => item(Number(number), { projectNumber, title: '\u202eA' })),
    }
  }
  const named = [
    { projectNumber: 1, number: 2 },
    { projectNumber: 2, number: 5 },
    { projectNumber: 1, number: 3 },
  ]
  const items = await readNamed({ listItems } as unknown as Client, [item(1)], named)
  expect(asked).toEqual([
    { projectNumber: 1, numbers: '2,3' },
    { projectNumber: 2, numbers: '5' },
  ])
  expect(items.map(({ title }) => title)).toEqual(['Item 1', '[U+202E]A', '[U+202E]A', '[U+202E]A'])
})
