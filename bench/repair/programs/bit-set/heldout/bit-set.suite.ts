import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BitSet } from '../src/bit-set.ts'

let state = 41
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function randomSet(): [BitSet, Set<number>, number] {
  const capacity = random(100) + 1
  const bits = new BitSet(capacity)
  const plain = new Set<number>()
  for (let round = 0; round < 60; round += 1) {
    const member = random(capacity)
    if (random(4) === 0) {
      bits.delete(member)
      plain.delete(member)
    } else {
      bits.add(member)
      plain.add(member)
    }
  }
  return [bits, plain, capacity]
}

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)

test('random sets against the built-in ones', () => {
  for (let round = 0; round < 150; round += 1) {
    const [a, left, width] = randomSet()
    const [b, right, otherWidth] = randomSet()
    assert.deepEqual(a.members(), sorted(left))
    assert.equal(a.size, left.size)
    assert.deepEqual(a.union(b).members(), sorted(new Set([...left, ...right])))
    assert.equal(a.union(b).capacity, Math.max(width, otherWidth))
    const common = [...left].filter((member) => right.has(member))
    assert.deepEqual(a.intersection(b).members(), sorted(common))
    assert.equal(a.intersection(b).capacity, Math.min(width, otherWidth))
    const only = [...left].filter((member) => !right.has(member))
    assert.deepEqual(a.difference(b).members(), sorted(only))
    assert.equal(a.difference(b).size, only.length)
    assert.equal(a.isSubsetOf(b), only.length === 0)
    assert.equal(a.intersection(b).isSubsetOf(a), true)
    for (let member = -2; member < width + 40; member += 1) assert.equal(a.has(member), left.has(member))
    for (const from of [0, 3, 31, 32, 60]) {
      let free: number | null = from
      while (free < width && left.has(free)) free += 1
      assert.equal(a.firstFree(from), free < width ? free : null)
    }
    assert.equal(a.toString().length, width)
    assert.equal([...a.toString()].filter((bit) => bit === '1').length, left.size)
    assert.deepEqual(a.members(), sorted(left))
  }
})

test('the edges of words and of the capacity', () => {
  for (const capacity of [1, 31, 32, 33, 64, 65]) {
    const set = BitSet.of(capacity, capacity - 1)
    assert.deepEqual(set.members(), [capacity - 1])
    assert.equal(set.size, 1)
    assert.throws(() => set.add(capacity), RangeError)
    assert.throws(() => set.delete(capacity), RangeError)
    assert.equal(set.firstFree(), capacity === 1 ? null : 0)
  }
  assert.deepEqual(new BitSet(0).members(), [])
  assert.throws(() => new BitSet(1.5), RangeError)
  assert.throws(() => new BitSet(-3), RangeError)
})
