import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from '../src/ledger.ts'
import { formatAmount, parseAmount, splitEvenly } from '../src/money.ts'

test('every amount survives writing and reading', () => {
  for (let cents = -1250; cents <= 1250; cents += 7) {
    assert.equal(parseAmount(formatAmount(cents)), cents)
  }
  assert.equal(formatAmount(0), '0.00')
  assert.equal(formatAmount(100), '1.00')
  assert.equal(formatAmount(-12345), '-123.45')
  assert.equal(formatAmount(9), '0.09')
})

test('odd spellings of amounts', () => {
  assert.equal(parseAmount(' 3.1 '), 310)
  assert.equal(parseAmount('-0.00'), 0)
  assert.equal(parseAmount('00012'), 1200)
  for (const text of ['', '.5', '5.', '1,5', '+2', 'abc', '--1', '1.2.3', '1e3']) {
    assert.throws(() => parseAmount(text), RangeError, text)
  }
})

test('splits are fair for many sizes', () => {
  for (let cents = -20; cents <= 300; cents += 13) {
    for (let parts = 1; parts <= 9; parts += 1) {
      const shares = splitEvenly(cents, parts)
      assert.equal(shares.length, parts)
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        cents,
      )
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1)
      assert.deepEqual(
        shares,
        [...shares].sort((a, b) => b - a),
      )
    }
  }
  assert.throws(() => splitEvenly(10, 1.5), RangeError)
  assert.throws(() => splitEvenly(10, -1), RangeError)
})

test('random walks keep to an independent book', () => {
  let state = 12345
  const random = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * limit)
  }
  const names = ['ann', 'bob', 'cy']
  const ledger = new Ledger()
  const book: Record<string, number> = { ann: 0, bob: 0, cy: 0 }
  for (let round = 0; round < 300; round += 1) {
    const from = names[random(3)] ?? 'ann'
    const to = names[random(3)] ?? 'bob'
    const cents = random(900) + 1
    const amount = formatAmount(cents)
    const enough = (book[from] ?? 0) >= cents
    if (round % 3 === 0) {
      ledger.deposit(from, amount)
      book[from] = (book[from] ?? 0) + cents
    } else if (from === to || !enough) {
      assert.throws(() => ledger.transfer(from, to, amount))
    } else {
      ledger.transfer(from, to, amount)
      book[from] = (book[from] ?? 0) - cents
      book[to] = (book[to] ?? 0) + cents
    }
    for (const name of names) assert.equal(ledger.balance(name), book[name])
  }
})

test('a refused transfer leaves no trace and ids go on', () => {
  const ledger = new Ledger()
  assert.equal(ledger.deposit('ann', '5', 'gift'), 1)
  assert.throws(() => ledger.transfer('ann', 'bob', '5.01'), /insufficient funds in ann/)
  assert.equal(ledger.withdraw('ann', '1.5'), 2)
  ledger.transfer('ann', 'bob', '3.5')
  assert.deepEqual(ledger.statement('ann'), [
    '#1 gift 5.00 = 5.00',
    '#2 withdrawal -1.50 = 3.50',
    '#3 to bob -3.50 = 0.00',
  ])
  assert.deepEqual(ledger.statement('bob'), ['#4 from ann 3.50 = 3.50'])
  assert.deepEqual(ledger.statement('nobody'), [])
})

test('overdrafts belong to one account and can be partly used', () => {
  const ledger = new Ledger()
  ledger.allowOverdraft('ann', '10')
  ledger.transfer('ann', 'bob', '6')
  assert.throws(() => ledger.transfer('ann', 'bob', '4.01'), /insufficient/)
  ledger.transfer('ann', 'bob', '4')
  assert.equal(ledger.balance('ann'), -1000)
  assert.throws(() => ledger.withdraw('bob', '10.01'), /insufficient/)
  for (const amount of ['0', '0.00', '-1']) {
    assert.throws(() => ledger.deposit('ann', amount), RangeError)
    assert.throws(() => ledger.withdraw('ann', amount), RangeError)
    assert.throws(() => ledger.transfer('ann', 'bob', amount), RangeError)
  }
})

test('ranking of many', () => {
  const ledger = new Ledger()
  for (const [name, amount] of [
    ['d', '1'],
    ['b', '3'],
    ['a', '3'],
    ['c', '2'],
    ['e', '10'],
  ] as const) {
    ledger.deposit(name, amount)
  }
  assert.deepEqual(ledger.ranking(), ['e', 'a', 'b', 'c', 'd'])
})
