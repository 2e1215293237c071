import { expect, test } from 'vitest'
import { revealed, unseenIn } from './unseen-characters.model.ts'

test.each([
  ['plain', 'plain', 0],
  ['if (a) \u202e } \u2066', 'if (a) [U+202E] } [U+2066]', 2],
  ['\u200fright \u061cto left', '[U+200F]right [U+061C]to left', 2],
  ['no\u200bthing \ufeffhere', 'no[U+200B]thing [U+FEFF]here', 2],
  ['שלום 👩\u200d💻 é', 'שלום 👩\u200d💻 é', 0],
])('what cannot be seen in %j is shown', (text, shown, count) => {
  expect(revealed(text)).toBe(shown)
  expect(unseenIn(text)).toBe(count)
})
