import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache } from '../src/lru-cache.ts'

type Slot = { key: string; value: number; weight: number }

let state = 7
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

// An obviously right cache: a list in order of use.
class Plain {
  slots: Slot[] = []
  hits = 0
  misses = 0
  capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get(key: string): number | undefined {
    const slot = this.slots.find((one) => one.key === key)
    if (slot) {
      this.hits += 1
      this.slots = [...this.slots.filter((one) => one !== slot), slot]
    } else {
      this.misses += 1
    }
    return slot?.value
  }

  set(key: string, value: number, weight: number): boolean {
    this.slots = this.slots.filter((one) => one.key !== key)
    if (weight > this.capacity) return false
    this.slots.push({ key, value, weight })
    while (this.weight() > this.capacity) this.slots.shift()
    return true
  }

  weight(): number {
    return this.slots.reduce((sum, slot) => sum + slot.weight, 0)
  }
}

for (const capacity of [1, 3, 8]) {
  test(`random use with capacity ${capacity}`, () => {
    const cache = new LruCache<number>(capacity)
    const plain = new Plain(capacity)
    for (let round = 0; round < 800; round += 1) {
      const key = String.fromCharCode(97 + random(6))
      const action = random(5)
      if (action < 2) {
        assert.equal(cache.get(key), plain.get(key))
      } else if (action < 4) {
        const weight = random(4) + 1
        assert.equal(cache.set(key, round, weight), plain.set(key, round, weight))
      } else {
        const known = plain.slots.some((slot) => slot.key === key)
        assert.equal(cache.peek(key), plain.slots.find((slot) => slot.key === key)?.value)
        assert.equal(cache.delete(key), known)
        plain.slots = plain.slots.filter((slot) => slot.key !== key)
      }
      assert.deepEqual(
        cache.keys(),
        plain.slots.map((slot) => slot.key),
      )
      assert.equal(cache.weight, plain.weight())
      assert.equal(cache.size, plain.slots.length)
    }
    assert.equal(cache.hits, plain.hits)
    assert.equal(cache.misses, plain.misses)
    assert.equal(cache.hitRate(), plain.hits / (plain.hits + plain.misses))
  })
}

test('the default weight is one, the capacity must be positive', () => {
  const cache = new LruCache<string>(1)
  cache.set('a', 'a')
  assert.equal(cache.weight, 1)
  cache.set('b', 'b')
  assert.deepEqual(cache.keys(), ['b'])
  assert.equal(cache.hitRate(), 0)
  assert.throws(() => new LruCache(-1), RangeError)
  assert.throws(() => new LruCache(0), RangeError)
})
