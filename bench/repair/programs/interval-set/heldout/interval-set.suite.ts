import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contains, firstFit, gaps, intersect, normalise, subtract, totalLength } from '../src/interval-set.ts'

type Span = { start: number; end: number }

const size = 24
let state = 99
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function randomSet(): Span[] {
  return Array.from({ length: random(6) }, () => {
    const start = random(size)
    return { start, end: start + random(6) - 1 }
  })
}

// Whole numbers are enough: each stands for the unit interval that starts there.
function cells(set: readonly Span[]): boolean[] {
  return Array.from({ length: size + 8 }, (_, cell) => set.some((s) => s.start <= cell && cell < s.end))
}

function spans(flags: readonly boolean[]): Span[] {
  const result: Span[] = []
  let open = -1
  for (const [cell, flag] of [...flags, false].entries()) {
    if (flag && open < 0) open = cell
    if (!flag && open >= 0) {
      result.push({ start: open, end: cell })
      open = -1
    }
  }
  return result
}

test('normalise, intersect, subtract and length agree with cells', () => {
  for (let round = 0; round < 400; round += 1) {
    const left = randomSet()
    const right = randomSet()
    const copy = structuredClone([left, right])
    const a = cells(left)
    const b = cells(right)
    assert.deepEqual(normalise(left), spans(a))
    assert.deepEqual(intersect(left, right), spans(a.map((flag, cell) => flag && b[cell] === true)))
    assert.deepEqual(subtract(left, right), spans(a.map((flag, cell) => flag && !b[cell])))
    assert.equal(totalLength(left), a.filter(Boolean).length)
    for (let cell = 0; cell < size; cell += 1) assert.equal(contains(left, cell), a[cell])
    assert.deepEqual([left, right], copy)
  }
})

test('gaps and first fit agree with cells', () => {
  for (let round = 0; round < 300; round += 1) {
    const busy = randomSet()
    const within = { start: 2, end: 20 }
    const taken = cells(busy)
    const free = spans(taken.map((flag, cell) => !flag && cell >= within.start && cell < within.end))
    assert.deepEqual(gaps(busy, within), free)
    for (const length of [1, 2, 3, 5, 18]) {
      const expected = free.find((s) => s.end - s.start >= length)
      assert.equal(firstFit(busy, within, length), expected ? expected.start : null)
    }
  }
})
