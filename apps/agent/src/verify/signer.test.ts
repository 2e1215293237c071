import type { SignatureFound } from '@treadle/contracts/receipt'
import { expect, test } from 'vitest'
import { answerOf, verdictOf } from './compare.ts'
import { checkSigner, type SignerFacts, signerOf } from './signer.ts'

const [own, before] = ['a'.repeat(40), 'b'.repeat(40)]
const fits: SignatureFound = { is: 'unknown_key', by: 'SHA256:k', key: 'SHA256:k' }
const known: SignatureFound = { is: 'good', by: 'ada', key: 'SHA256:k' }
const facts = (given: Partial<SignerFacts>): SignerFacts => ({
  commit: own,
  signature: fits,
  first: { commit: before, key: 'SHA256:k' },
  isNamed: null,
  list: null,
  ...given,
})
const other = { commit: before, key: 'SHA256:other' }
const itself = { commit: own, key: 'SHA256:k' }

test.each([
  ['the key of the first', {}, 'first_key', 'yes', 'signed by the key of the first signed merge'],
  ['another key', { first: other }, 'another_key', 'cannot_tell', 'signed by another key'],
  [
    'a first one that cannot be checked',
    { first: { ...other, key: null } },
    'another_key',
    'cannot_tell',
    '',
  ],
  [
    'another key that treadle.json names',
    { first: other, isNamed: true },
    'another_key',
    'cannot_tell',
    'anybody',
  ],
  ['another key that is known here', { first: other, signature: known }, 'another_key', 'yes', 'known here'],
  ['no signature', { signature: { is: 'none' } }, 'unsigned', 'cannot_tell', 'unsigned'],
  [
    'no signature anywhere',
    { signature: { is: 'none' }, first: null },
    'unsigned',
    'cannot_tell',
    'unsigned',
  ],
  ['one that does not fit', { signature: { is: 'bad' } }, 'bad', 'no', 'not the one that was signed'],
  [
    'one of an unknown kind',
    { signature: { is: 'unchecked', why: 'no key' } },
    'unchecked',
    'cannot_tell',
    'no key',
  ],
  ['the first itself, on trust', { first: itself }, 'first_key', 'yes', 'taken on trust'],
  ['the first itself, as named', { first: itself, isNamed: true }, 'first_key', 'yes', 'names the key'],
  [
    'the first itself, others named',
    { first: itself, isNamed: false },
    'first_key',
    'cannot_tell',
    'other keys',
  ],
  ['a key of the list', { list: 'f', signature: known, first: other }, 'listed', 'yes', 'signed by ada'],
  ['a key beside the list', { list: 'f' }, 'not_listed', 'no', 'does not name'],
  ['a list and no signature', { list: 'f', signature: { is: 'none' } }, 'unsigned', 'no', 'unsigned'],
  [
    'a list and one of an unknown kind',
    { list: 'f', signature: { is: 'unchecked', why: '' } },
    'not_listed',
    'no',
    '',
  ],
] satisfies [string, Partial<SignerFacts>, string, string, string][])(
  'signed with %s',
  (...[, given, is, verdict, words]) => {
    const check = checkSigner(facts(given))
    expect([signerOf(facts(given)).is, verdictOf([check])]).toEqual([is, verdict])
    expect(check.words).toContain(words)
  },
)

test('the answer says what the signature lacks, where nothing else speaks against a yes', () => {
  const answer = (given: Partial<SignerFacts>) => answerOf([checkSigner(facts(given))])
  expect(answer({})).toBe('Yes: the merge does what its receipt states.')
  expect(answer({ signature: { is: 'none' } })).toMatch(/^Cannot tell: .*unsigned/)
  expect(answer({ first: other })).toMatch(/^Cannot tell: .*signed by another key/)
  expect(answer({ first: itself })).toMatch(/^Yes: .*\nBut its signature is the first here/)
  expect(answer({ list: 'f' })).toMatch(/^No: signed by a key that f does not name/)
  const red = { what: 'own tests', is: 'missing' as const, words: '' }
  expect(answerOf([checkSigner(facts({ signature: { is: 'none' } })), red])).toBe(
    'Cannot tell: something is missing.',
  )
})
