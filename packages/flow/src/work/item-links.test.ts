import { expect, test } from 'vitest'
import { linkFault, linkFaultWords } from './item-links.ts'

const item = (number: number, dependsOn: number[] = [], parent: number | null = null) =>
  ({ number, parent, dependsOn, state: 'todo', priority: null, rank: number }) as const

test('an item may wait for others, also along several ways', () => {
  const others = [item(1), item(2, [1]), item(3, [1]), item(4)]
  expect(linkFault(others, 4, { parent: 1, dependsOn: [2, 3] })).toBeNull()
  expect(linkFault(others, null, { parent: null, dependsOn: [2, 4] })).toBeNull()
})

test('a number that is none is named with its field', () => {
  expect(linkFault([item(1)], null, { parent: null, dependsOn: [1, 9] })).toEqual({
    is: 'unknown',
    field: 'dependsOn',
    number: 9,
  })
  expect(linkFault([item(1)], 1, { parent: 7, dependsOn: [] })).toMatchObject({ field: 'parent', number: 7 })
})

test('a cycle is told with its names, of one, two and many', () => {
  const chain = [item(1, [2]), item(2, [3]), item(3), item(4)]
  const words = (number: number, dependsOn: number[]) => {
    const fault = linkFault(chain, number, { parent: null, dependsOn })
    return fault === null ? null : linkFaultWords(fault)
  }
  expect(words(3, [4])).toBeNull()
  expect(words(3, [3])).toBe('no item can wait for itself: #3 waits for #3')
  expect(words(3, [1])).toBe('no item can wait for itself: #3 waits for #1 waits for #2 waits for #3')
  const parts = linkFault([item(1), item(2, [], 1)], 1, { parent: 2, dependsOn: [] })
  expect(parts && linkFaultWords(parts)).toBe(
    'an item cannot be a part of itself: #1 is a part of #2 is a part of #1',
  )
})

test('nothing comes to wait for what is withdrawn; what waits for it already may be edited', () => {
  const others = [{ ...item(1), state: 'withdrawn' } as const, item(2, [1]), item(3)]
  const fault = linkFault(others, 3, { parent: null, dependsOn: [1] })
  expect(fault).toEqual({ is: 'withdrawn', field: 'dependsOn', number: 1 })
  expect(fault && linkFaultWords(fault)).toBe(
    '#1 is withdrawn, and nothing that waits for it would ever begin',
  )
  expect(linkFault(others, null, { parent: null, dependsOn: [1] })).toMatchObject({ is: 'withdrawn' })
  expect(linkFault(others, 2, { parent: null, dependsOn: [1, 3] })).toBeNull()
  expect(linkFault(others, 3, { parent: 1, dependsOn: [2] })).toBeNull()
})

test('a thousand items in ladders are looked at once each', () => {
  const ladder = Array.from({ length: 1_000 }, (_, n) => item(n + 1, n < 2 ? [] : [n, n - 1]))
  expect(linkFault(ladder, 1, { parent: null, dependsOn: [1_000] })).toMatchObject({ is: 'cycle' })
  expect(linkFault(ladder, null, { parent: null, dependsOn: [1_000] })).toBeNull()
})
