import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contains, firstFit, gaps, intersect, normalise, subtract, totalLength } from '../src/interval-set.ts'

const span = (start: number, end: number) => ({ start, end })

describe('normalise', () => {
  it('sorts and merges what overlaps or touches', () => {
    assert.deepEqual(normalise([span(5, 8), span(1, 3), span(3, 4), span(6, 7)]), [span(1, 4), span(5, 8)])
  })

  it('drops empty intervals', () => {
    assert.deepEqual(normalise([span(2, 2), span(4, 3)]), [])
  })

  it('leaves its input alone', () => {
    const input = [span(1, 3), span(2, 6)]
    normalise(input)
    assert.deepEqual(input, [span(1, 3), span(2, 6)])
  })
})

describe('points and sets', () => {
  it('holds the start and not the end', () => {
    const set = [span(1, 3), span(5, 6)]
    assert.deepEqual(
      [0, 1, 2, 3, 5, 6].map((point) => contains(set, point)),
      [false, true, true, false, true, false],
    )
  })

  it('intersects', () => {
    assert.deepEqual(intersect([span(0, 5), span(8, 12)], [span(3, 9), span(11, 20)]), [
      span(3, 5),
      span(8, 9),
      span(11, 12),
    ])
    assert.deepEqual(intersect([span(0, 2)], [span(2, 4)]), [])
  })

  it('subtracts', () => {
    assert.deepEqual(subtract([span(0, 10)], [span(2, 4), span(6, 7)]), [span(0, 2), span(4, 6), span(7, 10)])
    assert.deepEqual(subtract([span(3, 5)], [span(0, 9)]), [])
    assert.deepEqual(subtract([span(3, 5)], [span(5, 9)]), [span(3, 5)])
  })
})

describe('free time', () => {
  it('finds gaps', () => {
    assert.deepEqual(gaps([span(9, 10), span(12, 13)], span(8, 14)), [span(8, 9), span(10, 12), span(13, 14)])
  })

  it('sums lengths once', () => {
    assert.equal(totalLength([span(0, 4), span(2, 6)]), 6)
    assert.equal(totalLength([]), 0)
  })

  it('finds the first fit, also an exact one', () => {
    const busy = [span(0, 2), span(3, 6)]
    assert.equal(firstFit(busy, span(0, 10), 1), 2)
    assert.equal(firstFit(busy, span(0, 10), 4), 6)
    assert.equal(firstFit(busy, span(0, 10), 5), null)
  })
})
