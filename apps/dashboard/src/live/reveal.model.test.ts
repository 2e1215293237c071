import { expect, test } from 'vitest'
import { revealAll } from './reveal.model.ts'

test('texts at any depth show what would turn them around', () => {
  const given = { items: [{ title: '\u202egnp.exe', number: 1, body: null }], at: 2, ok: true }
  expect(revealAll(given)).toEqual({
    items: [{ title: '[U+202E]gnp.exe', number: 1, body: null }],
    at: 2,
    ok: true,
  })
})

test('what has nothing to show stays the same object, and so do its parts beside one that has', () => {
  const plain = { title: 'plain, ünïcode, 漢字, עברית and 👍', labels: ['a', 'b'] }
  expect(revealAll(plain)).toBe(plain)
  const both = revealAll([plain, { title: '\u2066' }])
  expect(both[0]).toBe(plain)
  expect(both[1]).toEqual({ title: '[U+2066]' })
})
