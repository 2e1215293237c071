import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToFit } from './cut.ts'
import { openTokenCounter } from './tokens.ts'

const within = (max: number) => (text: string) => text.length <= max

test.each([
  ['ends of lines are preferred', 'one\ntwo\nthree', 8, 'one\ntwo'],
  ['the line end itself is not kept', 'one\ntwo\nthree', 7, 'one\ntwo'],
  ['CRLF counts as one line end', 'one\r\ntwo\r\nthree', 9, 'one\r\ntwo'],
  ['a first line that is too long is cut inside', 'abcdef\nrest', 4, 'abcd'],
  ['a pair of surrogates is not split', 'ab😀cd', 3, 'ab'],
  ['a pair that fits stays', 'ab😀cd', 4, 'ab😀'],
  ['empty lines in front are no beginning', '\n\n\nabcdef\ng', 5, '\n\n\nab'],
])('%s', (_, text, max, kept) => {
  expect(cutToFit(text, within(max))).toBe(kept)
})

test('null where nothing fits', () => {
  expect(cutToFit('abc', within(0))).toBeNull()
  expect(cutToFit('😀', within(1))).toBeNull()
})

test('with real tokens one more line, or one more character of a single line, would be too much', async () => {
  const count = await openTokenCounter()
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((text) => text.replaceAll(/\s/g, 'x'))
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 2, maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      (lines, max) => {
        const text = lines.join('\n')
        if (count(text) <= max) return
        const kept = cutToFit(text, (some) => count(some) <= max)
        if (kept === null) {
          expect(count(Array.from(text)[0] ?? '')).toBeGreaterThan(max)
          return
        }
        expect(count(kept)).toBeLessThanOrEqual(max)
        expect(text.startsWith(kept)).toBe(true)
        expect(kept.isWellFormed()).toBe(true)
        const whole = kept.split('\n').length
        if (text[kept.length] === '\n') {
          const more = lines.slice(0, whole + 1)
          if (more.length < lines.length) expect(count(more.join('\n'))).toBeGreaterThan(max)
        } else {
          expect(whole).toBe(1)
          expect(count(lines[0] ?? '')).toBeGreaterThan(max)
        }
      },
    ),
    { numRuns: 200 },
  )
})
