import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheapest, page, search, tagsOf, withTag } from '../src/catalogue.ts'

const products = [
  { name: 'Desk lamp', price: 1_900, tags: ['light', 'desk'] },
  { name: 'Chair', price: 7_900, tags: ['seat'] },
  { name: 'Floor lamp', price: 4_900, tags: ['light'] },
]

test('products are found by a tag', () => {
  assert.deepEqual(withTag(products, 'light'), ['Desk lamp', 'Floor lamp'])
})

test('the cheapest product is named', () => {
  assert.equal(cheapest(products), 'Desk lamp')
})

test('every word of a search must occur', () => {
  assert.deepEqual(search(products, 'LAMP floor'), ['Floor lamp'])
})

test('the second page starts after the first', () => {
  assert.deepEqual(page([1, 2, 3, 4, 5], 2, 2), [3, 4])
})

test('each tag is listed once', () => {
  assert.deepEqual(tagsOf(products), ['desk', 'light', 'seat'])
})
