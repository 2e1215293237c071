import type { ReceiptGate } from '@treadle/contracts/receipt'
import { expect, test } from 'vitest'
import { checkOwnTests, ownGate } from './own-tests.ts'

const ran = (exitCode: number, passed: number | null, failed = 0): ReceiptGate => ({
  ...ownGate('npm test'),
  is: exitCode === 0 ? 'passed' : 'failed',
  exitCode,
  tests: passed === null ? null : { total: passed + failed, passed, failed, skipped: 0 },
  notes: [],
})

test.each([
  ['green with tests', ran(0, 3), false, 'same'],
  ['green without tests', ran(0, null), false, 'missing'],
  ['green with none of them run', ran(0, 0), true, 'missing'],
  ['not run', ownGate('npm test'), false, 'missing'],
  ['red', ran(1, 2, 1), false, 'differs'],
  ['red before it counted', ran(1, null), false, 'differs'],
  ['red as the receipt says', ran(1, 2, 1), true, 'same'],
])('the own tests of a tree, %s, stated: %s', (_, found, isStated, is) => {
  expect(checkOwnTests({ command: 'npm test', found, isStated, others: [ran(0, 1)] }).is).toBe(is)
})

test('a tree that does not say how it is tested is not proven by a command that counts nothing', () => {
  const none = { command: null, found: undefined, isStated: false }
  expect(checkOwnTests({ ...none, others: [ran(0, 1)] }).is).toBe('note')
  expect(checkOwnTests({ ...none, others: [ran(0, null)] }).is).toBe('missing')
})
