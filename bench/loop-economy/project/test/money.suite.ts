import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert, format, share, withTax } from '../src/money.ts'

test('tax is rounded to the cent', () => {
  assert.equal(withTax(1_999, 19), 2_379)
})

test('shares add up and differ by little', () => {
  assert.deepEqual(share(200, 3), [67, 67, 66])
})

test('an amount is shown with two places', () => {
  assert.equal(format(1_234.6), '12.35')
})

test('another currency is rounded too', () => {
  assert.equal(convert(335, 1.1), 369)
})
