import { expect, test } from 'vitest'
import { CODE_MS, decideCode, WRONG_MS, wantsCode } from './confirm-code.ts'

test.each([
  ['auto', 'nothing', true],
  ['auto', 'sandbox', false],
  ['auto', 'other_user', false],
  ['always', 'nothing', true],
  ['always', 'sandbox', true],
  ['never', 'nothing', false],
  ['never', 'sandbox', false],
] as const)(
  'approval.confirm %s, and the key is kept from the crew by %s: a code is wanted: %s',
  (confirm, by, is) => {
    expect(wantsCode(confirm, by)).toBe(is)
  },
)

const NOW = 1_000_000
const shown = { code: '123456', expiresAt: NOW + CODE_MS, tries: 0 }
const facts = { now: NOW, given: '123456', shown, wrong: [] }
const wrongs = (count: number, at: number) => Array.from({ length: count }, () => at)

test.each([
  ['the right one', {}, { is: 'taken' }],
  ['none', { given: null }, { is: 'ask', wrong: false, spent: false }],
  ['one for something else', { shown: null }, { is: 'ask', wrong: false, spent: false }],
  ['one that has expired', { now: NOW + CODE_MS }, { is: 'ask', wrong: false, spent: true }],
  ['a wrong one', { given: '123457' }, { is: 'ask', wrong: true, spent: false }],
  [
    'the third wrong one',
    { given: '123457', shown: { ...shown, tries: 2 } },
    { is: 'ask', wrong: true, spent: true },
  ],
  ['the right one after nine wrong ones', { wrong: wrongs(9, NOW) }, { is: 'taken' }],
  ['the right one after ten', { wrong: wrongs(10, NOW) }, { is: 'locked', until: NOW + WRONG_MS }],
  ['the right one after ten long ago', { wrong: wrongs(10, NOW - WRONG_MS) }, { is: 'taken' }],
])('%s', (_, given, choice) => {
  expect(decideCode({ ...facts, ...given })).toMatchObject(choice)
})
