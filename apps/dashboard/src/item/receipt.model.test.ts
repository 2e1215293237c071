import type { KeptReceipt, Receipt, ReceiptGate } from '@treadle/contracts/receipt'
import { expect, test } from 'vitest'
import {
  batchWords,
  environmentFacts,
  proofFacts,
  receiptLine,
  reviewFacts,
  signatureWords,
  standingOf,
} from './receipt.model.ts'

const AT = '2026-11-15T12:00:00.000Z'
const id = (letter: string) => letter.repeat(40)
const hash = (letter: string) => letter.repeat(64)
const check = (gate: ReceiptGate['gate'], given: Partial<ReceiptGate> = {}): ReceiptGate => ({
  gate,
  is: 'passed',
  command: 'npm test',
  exitCode: 0,
  tests: null,
  notes: [],
  evidence: hash('e'),
  ...given,
})
const predicate: Receipt['predicate'] = {
  item: { projectNumber: 1, number: 4, title: 'x' },
  run: null,
  target: 'main',
  base: { commit: id('a'), tree: id('b') },
  head: { commit: id('c'), tree: id('d') },
  install: null,
  merged: [check('tests_pass')],
  delivered: [],
  environment: { os: 'linux', arch: 'x64', node: 'v24.0.0', locks: [] },
  review: { kind: 'human', by: 'ada', at: AT },
  costUSD: 0,
  lessons: [],
  madeAt: AT,
}
const receipt: Receipt = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'merged tree', digest: { gitTree: id('f') } }],
  predicateType: 'urn:treadle:receipt:1',
  predicate,
}
const kept: KeptReceipt = {
  commit: id('1'),
  tree: id('f'),
  stated: hash('9'),
  found: hash('9'),
  signature: { is: 'none' },
  receipt,
  why: null,
}

test.each([
  ['as it should be', {}, 'good', 'the receipt that the merge commit names'],
  ['none named', { stated: null }, 'bad', 'names no receipt'],
  ['another one named', { stated: hash('8') }, 'bad', 'not the receipt that the merge commit names'],
  ['unreadable', { receipt: null, why: 'it is no JSON' }, 'bad', 'it is no JSON'],
  ['another tree', { tree: id('0') }, 'bad', 'has the tree 000'],
  ['a signature that does not fit', { signature: { is: 'bad' } }, 'bad', 'not the one that was signed'],
] satisfies [string, Partial<KeptReceipt>, string, string][])('a receipt: %s', (_, given, tone, words) => {
  const standing = standingOf({ ...kept, ...given })
  expect(standing.tone).toBe(tone)
  expect(standing.words).toContain(words)
})

test.each([
  [{ is: 'good', by: 'ada' }, 'good', 'signed by ada'],
  [{ is: 'unknown_key', by: 'SHA256:x' }, 'plain', 'a key whose owner is not known'],
  [{ is: 'unchecked', why: 'no gpg' }, 'attention', 'no gpg'],
  [{ is: 'none' }, 'plain', 'not signed'],
  [{ is: 'bad' }, 'bad', 'not the one'],
] satisfies [KeptReceipt['signature'], string, string][])('a signature that is %o', (found, tone, words) => {
  expect(signatureWords(found)).toMatchObject({ tone, words: expect.stringContaining(words) })
})

test('a check is told with its counts, and with an exit code that is not plain', () => {
  const tests = { total: 5, passed: 3, failed: 2, skipped: 0 }
  expect(receiptLine(check('tests_pass', { tests })).words).toBe('passed, 3 of 5')
  expect(receiptLine(check('no_regression', { is: 'passed_with_warnings', tests, exitCode: 1 })).words).toBe(
    'passed with warnings, 3 of 5, exit code 1',
  )
})

test('witness and strength come from the review; what is not there is said to be so', () => {
  const checks = [
    check('witness'),
    check('mutation', { notes: ['assertions noticed 80 % of the planted faults'] }),
  ]
  expect(
    proofFacts({ ...predicate, review: { ...predicate.review, checks } }).map(({ value }) => value),
  ).toEqual(['not stated', 'passed', 'passed; assertions noticed 80 % of the planted faults'])
  const evidence = { level: 'unproven', why: 'no test command' } as const
  expect(proofFacts({ ...predicate, evidence }).map(({ value }) => value)).toEqual([
    'unproven: no test command',
    'not stated',
    'not stated',
  ])
})

test('who approved and who has read it are two things', () => {
  const reviewer = { engine: 'claude-code', verdict: 'approved' as const }
  expect(reviewFacts({ ...predicate, review: { ...predicate.review, reviewer } })).toEqual([
    { name: 'Approved by', value: 'a person, ada' },
    { name: 'Read by', value: 'claude-code, which said approved' },
  ])
})

test('the environment names every lock file', () => {
  const locks = [{ path: 'package-lock.json', blob: id('7') }]
  const facts = environmentFacts({ ...predicate, environment: { ...predicate.environment, locks } })
  expect(facts.map(({ value }) => value)).toEqual([
    'linux x64, Node v24.0.0',
    'nothing was installed',
    'package-lock.json (777777777777)',
  ])
})

test('a merge that was tested with others says so', () => {
  const merges = [4, 5].map((number) => ({ item: { projectNumber: 1, number }, head: id(String(number)) }))
  expect(batchWords(predicate)).toBeNull()
  expect(batchWords({ ...predicate, batch: { tested: id('f'), merges } })).toContain('#4, #5')
})
