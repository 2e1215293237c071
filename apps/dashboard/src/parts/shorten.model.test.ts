import { expect, test } from 'vitest'
import { shorten } from './shorten.model.ts'

test.each([
  ['short', 10, 'short'],
  ['one two three four', 12, 'one two…'],
  ['abcdefghijklmnop', 8, 'abcdefgh…'],
])('%j in %d characters is %j', (text, max, shown) => {
  expect(shorten(text, max)).toBe(shown)
})
