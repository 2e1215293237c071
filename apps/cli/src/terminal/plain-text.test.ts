// Text of others is harmless on a terminal; of a change nothing is hidden.
import { expect, test } from 'vitest'
import { plainText, seenText } from './plain-text.ts'

test('in a change every control and direction character is seen, and nothing is left out', () => {
  const line = '+a\u001b]0;rm -rf\u0007b\rc\u202ed\u061ce\u009bf\u007fg\th'
  expect(seenText(`${line}\r\n-x\r\r\n`)).toBe('+a␛]0;rm -rf␇b␍c\\u{202e}d\\u{61c}e\\u{9b}f␡g\th\n-x␍\n')
  expect(plainText('a\u001b]0;title\u0007b\u061cc')).toBe('ab c')
})
