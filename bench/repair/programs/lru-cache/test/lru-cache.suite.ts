import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache } from '../src/lru-cache.ts'

test('the longest unused is forgotten first', () => {
  const cache = new LruCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['a', 'c'])
  assert.equal(cache.get('b'), undefined)
})

test('peeking does not count as use', () => {
  const cache = new LruCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  assert.equal(cache.peek('a'), 1)
  assert.equal(cache.peek('x'), undefined)
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['b', 'c'])
  assert.equal(cache.hits + cache.misses, 0)
})

test('setting again replaces the value and its weight', () => {
  const cache = new LruCache<string>(10)
  cache.set('a', 'old', 4)
  cache.set('b', 'b', 3)
  cache.set('a', 'new', 2)
  assert.equal(cache.weight, 5)
  assert.equal(cache.size, 2)
  assert.equal(cache.get('a'), 'new')
  assert.deepEqual(cache.keys(), ['b', 'a'])
})

test('heavy values push several others out', () => {
  const cache = new LruCache<string>(10)
  cache.set('a', 'a', 4)
  cache.set('b', 'b', 4)
  cache.set('c', 'c', 2)
  assert.equal(cache.size, 3)
  cache.set('d', 'd', 8)
  assert.deepEqual(cache.keys(), ['c', 'd'])
  assert.equal(cache.set('e', 'e', 11), false)
  assert.equal(cache.set('f', 'f', 10), true)
  assert.deepEqual(cache.keys(), ['f'])
})

test('deleting in the middle keeps the order', () => {
  const cache = new LruCache<number>(3)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('c', 3)
  assert.equal(cache.delete('b'), true)
  assert.equal(cache.delete('b'), false)
  assert.deepEqual(cache.keys(), ['a', 'c'])
  cache.delete('c')
  cache.set('d', 4)
  assert.deepEqual(cache.keys(), ['a', 'd'])
})

test('the hit rate', () => {
  const cache = new LruCache<number>(2)
  assert.equal(cache.hitRate(), 0)
  cache.set('a', 1)
  cache.get('a')
  cache.get('a')
  cache.get('a')
  cache.get('b')
  assert.equal(cache.hitRate(), 0.75)
  assert.throws(() => new LruCache(0), RangeError)
})
