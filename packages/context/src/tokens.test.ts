import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { openTokenCounter } from './tokens.ts'

verifies('AGENT-CONTEXT-12', 'the size of a part is counted in tokens of one encoding', async () => {
  const count = await openTokenCounter()
  // Known counts of o200k_base; other encodings give other numbers.
  expect(count('')).toBe(0)
  expect(count('hello world')).toBe(2)
  expect(count('antidisestablishmentarianism')).toBe(6)
  expect(count('お誕生日おめでとう')).toBe(8)
})

test('what looks like a control token is counted as the text that it is', async () => {
  const count = await openTokenCounter()
  expect(count('<|endoftext|>')).toBeGreaterThan(1)
})

test.each([
  ['spaces', ' '],
  ['equal signs', '='],
  ['letters', 'a'],
  ['line ends and slashes', '\n/'],
  ['characters of two units', '😀'],
])(
  'a long run of %s takes time by its length, not by its square',
  async (_, unit) => {
    const count = await openTokenCounter()
    const short = count(unit.repeat(10_000))
    expect(count(unit.repeat(300_000)) / short).toBeCloseTo(30, 0)
  },
  20_000,
)
