import { bytesWords } from '@treadle/contracts/words/bytes'
import { expect, test } from 'vitest'
import { chunksOf, endOf, LINES_SHOWN, startOf } from './output.model.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

test('a short output is shown whole', () => {
  expect(endOf('one\ntwo\n')).toEqual({ shown: 'one\ntwo', hiddenLines: 0, cut: false })
})

test('of a long one the end is shown, and how much stands before it', () => {
  const { shown, hiddenLines, cut } = endOf(numbered(1_000))
  expect([hiddenLines, cut]).toEqual([1_000 - LINES_SHOWN, false])
  expect(shown.split('\n')).toHaveLength(LINES_SHOWN)
  expect(shown.endsWith('line 1000')).toBe(true)
})

test('of a text that is no output the beginning is shown', () => {
  const { shown, hiddenLines, cut } = startOf(numbered(1_000))
  expect([shown.split('\n').length, hiddenLines, cut]).toEqual([LINES_SHOWN, 1_000 - LINES_SHOWN, false])
  expect(shown.startsWith('line 1\n')).toBe(true)
  expect(startOf('one\n')).toEqual({ shown: 'one', hiddenLines: 0, cut: false })
})

test('one endless line is cut too', () => {
  const { shown, hiddenLines, cut } = endOf('x'.repeat(1_000_000))
  expect([shown.length < 100_000, hiddenLines, cut]).toEqual([true, 0, true])
})

test.each([numbered(1), numbered(12_345), 'x'.repeat(300_000), `${'y'.repeat(120_000)}\n${numbered(700)}`])(
  'the pieces of output %# hold all of it, and none is too large',
  (text) => {
    const chunks = chunksOf(text)
    expect(chunks.join('').replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(50_000)
  },
)

test.each([
  [12, '12 bytes'],
  [2_048, '2.0 KB'],
  [5_242_880, '5.0 MB'],
])('%d bytes are %s', (bytes, words) => {
  expect(bytesWords(bytes)).toBe(words)
})
