import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStock, refill, take, toReorder } from '../src/stock.ts'

const shelf = { name: 'lamp', count: 3, least: 2 }

test('a shelf below its least count is reordered', () => {
  assert.deepEqual(toReorder([shelf, { name: 'chair', count: 1, least: 4 }]), ['chair'])
})

test('what is taken is missing afterwards', () => {
  assert.equal(take(shelf, 2).count, 1)
})

test('a shelf is refilled', () => {
  assert.equal(refill(shelf, 5).count, 8)
})

test('all shelves are counted', () => {
  assert.equal(inStock([shelf, shelf]), 6)
})
