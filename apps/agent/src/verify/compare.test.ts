import { createHash } from 'node:crypto'
import { type Receipt, type ReceiptGate, readReceipt, statedDigest } from '@treadle/contracts/receipt'
import { makeReceipt, receiptText } from '@treadle/flow/merge/receipt'
import { sampleItem } from '@treadle/flow/work/testing/sample'
import { expect, test } from 'vitest'
import {
  answerOf,
  checkBatch,
  checkDigest,
  checkEnvironment,
  checkGate,
  checkReview,
  checkTrees,
  excuse,
  lacksOf,
  topOfBatch,
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
  review: null,
  target: 'main',
  isInverse: null,
  tree: id('e'),
  batch: null,
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
  const unnoticed = Array.from(text, (letter, at) => {
    const changed = `${text.slice(0, at)}${letter === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
    return checkDigest(changed, digest).is === 'differs' ? [] : [at]
  })
  expect(unnoticed.flat()).toEqual([])
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

const ref = (number: number) => ({ projectNumber: 1, number })
const batched: Receipt = {
  ...receipt,
  predicate: {
    ...receipt.predicate,
    batch: {
      tested: id('9'),
      merges: [
        { item: ref(7), head: id('c') },
        { item: ref(8), head: id('2') },
        { item: ref(9), head: id('3') },
      ],
    },
  },
}
const [own, second, third] = [id('5'), id('6'), id('7')]
const merges = [
  { commit: third, parents: [second, id('3')] },
  { commit: id('8'), parents: [own, id('3')] },
  { commit: second, parents: [own, id('2')] },
]
const lostHead: Receipt = {
  ...batched,
  predicate: { ...batched.predicate, head: { ...stands.head, commit: id('1') } },
}
test.each([
  ['a merge by itself', receipt, merges, { is: 'found', commit: own }],
  ['the first of three', batched, merges, { is: 'found', commit: third }],
  ['one that is not here', batched, merges.slice(1), { is: 'lost', words: expect.stringContaining('1/9') }],
  ['another order', batched, merges.slice(0, 2), { is: 'lost', words: expect.stringContaining('1/8') }],
  ['a head that is not among them', lostHead, merges, { is: 'lost', words: expect.any(String) }],
])('the last merge of a batch: %s', (_, given, listed, expected) => {
  expect(topOfBatch(given, own, listed)).toEqual(expected)
})

test.each([
  ['no batch', receipt, id('9'), []],
  ['the tested tree', batched, id('9'), ['same']],
  ['another tree', batched, id('0'), ['differs']],
])('the tree of a batch: %s', (_, given, tree, expected) => {
  expect(checkBatch(given, { commit: third, tree }).map(({ is }) => is)).toEqual(expected)
})

test('what the review found is told as stated and decides nothing', () => {
  const [check] = checkReview(receipt)
  expect(check).toEqual({ what: 'review', is: 'note', words: 'human owner; stated, not executed again' })
  const review: Receipt['predicate']['review'] = {
    ...receipt.predicate.review,
    checks: [{ ...gate, gate: 'witness' }],
    reviewer: { engine: 'claude', verdict: 'approved' },
  }
  const [told] = checkReview({ ...receipt, predicate: { ...receipt.predicate, review } })
  expect(told?.words).toContain('claude said approved, witness passed')
})

const locked = (install: string | null, locks: number): Receipt => ({
  ...receipt,
  predicate: {
    ...receipt.predicate,
    install,
    environment: {
      ...receipt.predicate.environment,
      locks: [{ path: 'package-lock.json', blob: id('1') }].slice(0, locks),
    },
  },
})
test.each([
  ['nothing to install', locked(null, 0), { emptySubmodules: [], missing: null }, 'no'],
  ['an install that was run', locked('npm ci', 1), { emptySubmodules: [], missing: null }, 'no'],
  ['an install that lacks something', locked('npm ci', 1), { emptySubmodules: [], missing: 'x' }, 'no'],
  [
    'packages that nobody has recorded',
    locked(null, 1),
    { emptySubmodules: [], missing: null },
    'cannot_tell',
  ],
  ['a package that is not there', locked(null, 0), { emptySubmodules: [], missing: 'x' }, 'cannot_tell'],
  [
    'a submodule that is not here',
    locked('npm ci', 1),
    { emptySubmodules: ['deps/lib'], missing: null },
    'cannot_tell',
  ],
])('another result with %s', (_, given, empty, verdict) => {
  const differs = checkGate(gate, { ...gate, exitCode: 1 })
  const checks = excuse([differs], lacksOf(given, empty))
  if (empty.missing !== null && verdict === 'cannot_tell')
    expect([checks[0]?.words, answerOf(checks)]).toEqual([
      expect.stringContaining('dependencies missing: x'),
      'Cannot tell: dependencies missing.',
    ])
  expect(verdictOf(checks)).toBe(verdict)
  if (given.predicate.install === null && verdict === 'cannot_tell')
    expect(checks[0]?.words).toContain('set tests.setupCommand')
  const same = [checkGate(gate, gate)]
  expect(excuse(same, lacksOf(given, empty))).toEqual(same)
})
