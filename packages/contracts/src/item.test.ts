import { expect, test } from 'vitest'
import { NewItem } from './item.ts'

test.each([
  ['Plain', 'Plain'],
  ['  two\nlines\tand a tab ', 'two lines and a tab'],
  ['\u001b[31mred\u001b[0m\u0007', '[31mred [0m'],
  ['größer 🚀 "quoted" שלום', 'größer 🚀 "quoted" שלום'],
  ['\u202egnp.exe\u2066 reversed', 'gnp.exe  reversed'],
])('the title %j is kept as %j', (given, kept) => {
  expect(NewItem.parse({ title: given }).title).toBe(kept)
})

test.each(['', '   ', '\u0007\n', 'x'.repeat(301)])('the title %j is refused', (title) => {
  expect(NewItem.safeParse({ title }).success).toBe(false)
})
