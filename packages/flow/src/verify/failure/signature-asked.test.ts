import { expect, test } from 'vitest'
import { signatureAsked } from './signature-asked.ts'

test.each([
  [
    'TypeError: Cannot read properties of undefined (reading ‹name›) @ load (src/user.ts)',
    'TypeError: Cannot read properties of undefined (reading ‹name›) @ load (src/user.ts)',
  ],
  ['Error: lease <id> is not yours', 'Error: lease <id> is not yours'],
  [
    "\u001b[31mTypeError\u001b[0m: Cannot read properties of undefined (reading 'name')",
    'TypeError: Cannot read properties of undefined (reading ‹name›)',
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: \'price\'',
    'KeyError: ',
  ],
])('%j is kept under %j', (text, signature) => {
  expect(signatureAsked(text).startsWith(signature)).toBe(true)
})

test('what is no error at all still gives something to look for', () => {
  for (const text of ['', ' ', '\n\n', 'x'.repeat(100_000)])
    expect(typeof signatureAsked(text)).toBe('string')
})
