import { expect, test } from 'vitest'
import { faviconOf } from './favicon.ts'

test.each([
  [0, null],
  [3, '>3</text>'],
  [99, '>99</text>'],
  [1_000, '>…</text>'],
])('with %i that need the reader the picture says %j', (waiting, says) => {
  const drawn = decodeURIComponent(faviconOf(waiting))
  if (says === null) expect(drawn).not.toContain('<text')
  else expect(drawn).toContain(says)
})
