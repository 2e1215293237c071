import { createHash } from 'node:crypto'
import type { Receipt, ReceiptGate } from '@treadle/contracts/receipt'
import { makeReceipt, receiptText } from '@treadle/flow/merge/receipt'
import { sampleItem } from '@treadle/flow/sample'
import { expect, test } from 'vitest'
import {
  checkDigest,
  checkEnvironment,
  checkGate,
  checkTrees,
  readReceipt,
  statedDigest,
  verdictOf,
} from './compare.ts'

const id = (letter: string) => letter.repeat(40)
const at = new Date('2026-01-01T00:00:00Z')
const approval = { kind: 'human', by: 'owner', at: at.toISOString() } as const
const stands = { base: { commit: id('a'), tree: id('b') }, head: { commit: id('c'), tree: id('d') } }
const receipt: Receipt = makeReceipt({
  ...stands,
  item: { ...sampleItem({ approval }), approval },
  run: null,
  target: 'main',
  tree: id('e'),
  install: null,
  merged: [],
  locks: [],
  platform: { os: 'linux', arch: 'x64', node: 'v24.0.0' },
  at,
})

test('a receipt is read as it was written, and its hash is that of its bytes', () => {
  const text = receiptText(receipt)
  const digest = createHash('sha256').update(text).digest('hex')
  expect(readReceipt(text)).toEqual(receipt)
  expect(checkDigest(text, digest).is).toBe('same')
  expect(checkDigest(text.replace('main', 'nain'), digest).is).toBe('differs')
})

test.each([
  ['no JSON', 'nonsense', 'no JSON'],
  ['another kind', '{}', 'no receipt of this version'],
  ['something more', JSON.stringify({ ...receipt, more: 1 }), 'no receipt of this version'],
])('%s is no receipt', (_, text, why) => {
  expect(readReceipt(text)).toEqual({ why: expect.stringContaining(why) })
})

const digest = 'f'.repeat(64)
test.each([
  ['the trailer', `Merge\n\nKind: merge\nReceipt: sha256:${digest}\n`, digest],
  ['none', 'Merge\n\nKind: merge\n', null],
  ['one in the text', `Merge\n\nReceipt: sha256:${digest}\n\nKind: merge\n`, null],
  ['one that is too short', 'Merge\n\nReceipt: sha256:abc\n', null],
])('the hash in a message with %s', (_, message, expected) => {
  expect(statedDigest(message)).toBe(expected)
})

test.each([
  ['as stated', {}, []],
  ['another tree', { tree: id('0') }, ['merged tree']],
  ['another base', { parents: [{ ...stands.base, commit: id('0') }, stands.head] }, ['base']],
  [
    'a head with another tree',
    { parents: [stands.base, { ...stands.head, tree: id('0') }] },
    ['tree of the head'],
  ],
  ['no second parent', { parents: [stands.base] }, ['head', 'tree of the head']],
])('trees: %s', (_, change, differing) => {
  const found = { tree: id('e'), parents: [stands.base, stands.head], ...change }
  const checks = checkTrees(receipt, found).filter(({ is }) => is === 'differs')
  expect(checks.map(({ what }) => what)).toEqual(differing)
})

test('another system is told and decides nothing', () => {
  const checks = checkEnvironment(receipt, { os: 'darwin', arch: 'x64', node: 'v24.0.0' })
  expect(checks).toEqual([expect.objectContaining({ what: 'os', is: 'note' })])
  expect(verdictOf(checks)).toBe('yes')
})

const gate: ReceiptGate = {
  gate: 'tests_pass',
  is: 'passed',
  command: 'npm test',
  exitCode: 0,
  tests: { total: 3, passed: 2, failed: 0, skipped: 1 },
  notes: [],
  evidence: null,
}
test.each([
  ['the same', {}, 'same'],
  ['another word for the same facts', { is: 'passed_with_warnings' as const, notes: ['x'] }, 'same'],
  ['a test less', { tests: { total: 2, passed: 1, failed: 0, skipped: 1 } }, 'differs'],
  ['a test skipped', { tests: { total: 3, passed: 1, failed: 0, skipped: 2 } }, 'differs'],
  ['another exit code', { exitCode: 1 }, 'differs'],
  ['no tests at all', { tests: null }, 'differs'],
  ['not run', { is: 'not_run' as const, notes: ['why'] }, 'differs'],
])('a check that ends with %s: %s', (_, change, is) => {
  expect(checkGate(gate, { ...gate, ...change }).is).toBe(is)
})

test('one difference outweighs what is missing, and what is missing outweighs the rest', () => {
  const check = (is: 'same' | 'differs' | 'missing') => ({ what: 'x', is, words: '' })
  expect(verdictOf([check('same')])).toBe('yes')
  expect(verdictOf([check('same'), check('missing')])).toBe('cannot_tell')
  expect(verdictOf([check('missing'), check('differs')])).toBe('no')
})
