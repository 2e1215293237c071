import { expect, test } from 'vitest'
import { type ConfidenceFacts, confidenceOf, sentence } from './confidence.ts'

const facts: ConfidenceFacts = {
  trust: 'token',
  special: false,
  nullifies: false,
  types: 'clean',
  edits: 1,
  failing: 2,
  passing: 3,
  green: 3,
  rivals: 0,
  deletes: 0,
  alike: 0,
}

test.each<[string, Partial<ConfidenceFacts>, 'high' | 'low']>([
  ['a word, two failing tests, clean types', {}, 'high'],
  ['a likely rival', { rivals: 1 }, 'low'],
  ['one failing test, others pass', { failing: 1 }, 'low'],
  ['one failing test, nothing else', { failing: 1, green: 1 }, 'high'],
  ['nothing but a deletion', { deletes: 1 }, 'low'],
  ['types that are not clean', { types: 'unclean' }, 'low'],
  ['types that nobody checked', { types: 'unchecked' }, 'low'],
  ['no types, two failing tests, a rival', { types: 'none', rivals: 1 }, 'low'],
  ['no types, two failing tests, no rival', { types: 'none' }, 'high'],
  ['no types, one failing test, one patch', { types: 'none', failing: 1, green: 1 }, 'high'],
  ['no types, one failing test, others pass', { types: 'none', failing: 1 }, 'low'],
  ['an operand that does nothing any more', { nullifies: true }, 'low'],
  ['a guard', { trust: 'guard' }, 'low'],
  ['a default', { trust: 'other' }, 'low'],
  ['two edits', { edits: 2 }, 'low'],
  ['a value of the test', { special: true }, 'low'],
])('%s', (_, more, confidence) => {
  expect(confidenceOf({ ...facts, ...more })).toBe(confidence)
})

test('the sentence says what agreed and what else there is', () => {
  expect(sentence(facts)).toBe(
    '2 failing tests pass now and 3 others still do; the type checker agrees; a small change of a word or an operator, a kind that is more often right than not; 2 other patches also pass.',
  )
  expect(sentence({ ...facts, green: 1, alike: 2 })).toContain('; 2 other patches do the same.')
  expect(sentence({ ...facts, special: true })).toMatch(/^It uses a value that stands only in the test/)
})
