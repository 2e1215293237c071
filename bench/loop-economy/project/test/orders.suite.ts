import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelOrder, getOrder, listOrders, type Order, placeOrder } from '../src/orders.ts'
import { respond } from '../src/respond.ts'

const orders: Order[] = [
  { id: 1, user: 'ada', product: 'lamp', count: 1 },
  { id: 2, user: 'bo', product: 'chair', count: 4 },
]

test('a user sees only their own orders', () => {
  const answer = respond(() => listOrders(orders, { token: 'ada:2000', now: 1000 }))
  assert.equal(answer.status, 200)
})

test('an order is found by its number', () => {
  const found = getOrder(orders, 2, { token: 'bo:5000', now: 1200 })
  assert.equal(found.product, 'chair')
})

test('a new order gets the next number', () => {
  const after = placeOrder(orders, 'table', { token: 'cy:9000', now: 10 })
  assert.equal(after.at(-1)?.id, 3)
})

test('a cancelled order is gone', () => {
  const answer = respond(() => cancelOrder(orders, 1, { token: 'ada:1001', now: 1000 }))
  assert.equal(answer.status, 200)
})
