import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BitSet } from '../src/bit-set.ts'

test('members are added, found and deleted', () => {
  const set = new BitSet(70)
  set.add(0).add(31).add(32).add(69)
  assert.deepEqual(set.members(), [0, 31, 32, 69])
  assert.equal(set.has(31), true)
  assert.equal(set.has(30), false)
  assert.equal(set.has(-1), false)
  set.delete(32)
  assert.deepEqual(set.members(), [0, 31, 69])
})

test('the size counts bits', () => {
  assert.equal(new BitSet(10).size, 0)
  assert.equal(BitSet.of(64, 1, 1, 31, 63).size, 3)
})

test('out of range is refused', () => {
  assert.throws(() => new BitSet(8).add(8), RangeError)
  assert.throws(() => new BitSet(8).delete(-1), RangeError)
  assert.throws(() => new BitSet(-1), RangeError)
})

test('set operations', () => {
  const left = BitSet.of(40, 1, 5, 35)
  const right = BitSet.of(10, 5, 7)
  assert.deepEqual(left.union(right).members(), [1, 5, 7, 35])
  assert.deepEqual(right.union(left).members(), [1, 5, 7, 35])
  assert.deepEqual(left.intersection(right).members(), [5])
  assert.deepEqual(left.difference(right).members(), [1, 35])
  assert.deepEqual(left.members(), [1, 5, 35])
})

test('subsets', () => {
  assert.equal(BitSet.of(8, 1).isSubsetOf(BitSet.of(8, 1, 2)), true)
  assert.equal(BitSet.of(8, 1, 3).isSubsetOf(BitSet.of(8, 1, 2)), false)
})

test('free places', () => {
  const set = BitSet.of(4, 0, 1, 3)
  assert.equal(set.firstFree(), 2)
  assert.equal(set.firstFree(3), null)
  assert.equal(set.toString(), '1101')
})
