import type { Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { decideLink, linkWords, readLinks } from './links.model.ts'

const item = (number: number, given: Partial<Item> = {}): Item =>
  ({ projectNumber: 1, number, dependsOn: [], parent: null, ...given }) as unknown as Item

test('an item that is dropped on another waits for it as well, or becomes a part of it', () => {
  expect(decideLink(item(5, { dependsOn: [2] }), item(3), 'after')).toEqual({
    is: 'change',
    changes: { dependsOn: [2, 3] },
    words: '#5 now waits for #3.',
  })
  expect(decideLink(item(5, { parent: 2 }), item(3), 'part')).toMatchObject({ changes: { parent: 3 } })
})

test.each([
  [item(3), item(3), 'after', '#3 cannot wait for itself.'],
  [item(5, { dependsOn: [3] }), item(3), 'after', '#5 waits for #3 already.'],
  [item(5, { parent: 3 }), item(3), 'part', '#5 is a part of #3 already.'],
  [item(5), item(3, { projectNumber: 2 }), 'after', '#5 and #3 are of different projects'],
] as const)('what changes nothing or cannot be says why', (from, to, kind, words) => {
  expect(decideLink(from, to, kind)).toMatchObject({ is: 'refused', why: expect.stringContaining(words) })
})

test.each([
  ['3, #4', '', { dependsOn: [3, 4], parent: null }],
  ['#3 Search ignores accents', '2', { dependsOn: [3], parent: 2 }],
  ['3, 3', ' ', { dependsOn: [3], parent: null }],
])('%j and %j are read as links', (after, part, value) => {
  expect(readLinks(after, part)).toEqual({ is: 'ready', value })
})

test('what is no number is told', () => {
  expect(readLinks('the first', '')).toEqual({
    is: 'wrong',
    why: '"the first" is no number of an item, such as 3 or #3.',
  })
  expect(readLinks('0', '')).toMatchObject({ is: 'wrong' })
})

test('what came of it is one sentence', () => {
  expect(linkWords(item(5), { dependsOn: [3, 4], parent: 1 })).toBe(
    '#5 now waits for #3 and #4, and is a part of #1.',
  )
  expect(linkWords(item(5), { dependsOn: [], parent: null })).toBe('#5 now waits for nothing.')
})
