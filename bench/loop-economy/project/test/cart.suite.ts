import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLine, discount, isEmpty, removeLine, total } from '../src/cart.ts'

const lamp = { name: 'lamp', price: 1_900, count: 1 }
const chair = { name: 'chair', price: 7_900, count: 2 }

test('the same product is counted up', () => {
  assert.deepEqual(addLine([lamp], lamp), [{ ...lamp, count: 2 }])
})

test('a line is removed by its name', () => {
  assert.deepEqual(removeLine([lamp, chair], 'lamp'), [chair])
})

test('the total counts every piece', () => {
  assert.equal(total([lamp, chair]), 17_700)
})

test('from 100 on there is a discount of 5', () => {
  assert.equal(discount(10_000), 500)
})

test('a cart without pieces is empty', () => {
  assert.equal(isEmpty([{ ...lamp, count: 0 }]), true)
})
