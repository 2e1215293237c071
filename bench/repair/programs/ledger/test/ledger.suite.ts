import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../src/ledger.ts'
import { formatAmount, parseAmount, splitEvenly } from '../src/money.ts'

test('amounts are read and written', () => {
  assert.equal(parseAmount('12.34'), 1234)
  assert.equal(parseAmount('7'), 700)
  assert.equal(parseAmount('0.5'), 50)
  assert.equal(parseAmount('-3.07'), -307)
  assert.equal(formatAmount(1234), '12.34')
  assert.equal(formatAmount(-5), '-0.05')
  assert.throws(() => parseAmount('1.234'), RangeError)
})

test('a split adds up and gives the odd cents to the first', () => {
  assert.deepEqual(splitEvenly(1000, 3), [334, 333, 333])
  assert.deepEqual(splitEvenly(5, 2), [3, 2])
  assert.throws(() => splitEvenly(100, 0), RangeError)
})

test('deposits and withdrawals change the balance', () => {
  const ledger = new Ledger()
  ledger.deposit('ann', '100')
  ledger.withdraw('ann', '30.50')
  assert.equal(ledger.balance('ann'), 6950)
  assert.equal(ledger.balance('bob'), 0)
})

test('a whole balance can be withdrawn, but no cent more', () => {
  const ledger = new Ledger()
  ledger.deposit('ann', '20')
  assert.throws(() => ledger.withdraw('ann', '20.01'), /insufficient/)
  ledger.withdraw('ann', '20')
  assert.equal(ledger.balance('ann'), 0)
})

test('an overdraft widens what can be taken', () => {
  const ledger = new Ledger()
  ledger.allowOverdraft('ann', '50')
  ledger.withdraw('ann', '50')
  assert.equal(ledger.balance('ann'), -5000)
  assert.throws(() => ledger.withdraw('ann', '0.01'), /insufficient/)
})

test('a transfer moves money and refuses itself', () => {
  const ledger = new Ledger()
  ledger.deposit('ann', '80')
  ledger.transfer('ann', 'bob', '30')
  assert.equal(ledger.balance('ann'), 5000)
  assert.equal(ledger.balance('bob'), 3000)
  assert.throws(() => ledger.transfer('ann', 'ann', '1'), /same account/)
  assert.throws(() => ledger.deposit('ann', '0'), RangeError)
})

test('a statement shows the running balance', () => {
  const ledger = new Ledger()
  ledger.deposit('ann', '10')
  ledger.deposit('bob', '99')
  ledger.transfer('ann', 'bob', '4')
  assert.deepEqual(ledger.statement('ann'), ['#1 deposit 10.00 = 10.00', '#3 to bob -4.00 = 6.00'])
})

test('the ranking is by balance, then by name', () => {
  const ledger = new Ledger()
  ledger.deposit('zoe', '5')
  ledger.deposit('ann', '5')
  ledger.deposit('bob', '9')
  assert.deepEqual(ledger.ranking(), ['bob', 'ann', 'zoe'])
})
