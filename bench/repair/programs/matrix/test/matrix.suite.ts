import { describe, expect, it } from 'vitest'
import {
  at,
  determinant,
  identity,
  multiply,
  power,
  rotate,
  shape,
  spiral,
  transpose,
} from '../src/matrix.ts'

const wide = [
  [1, 2, 3],
  [4, 5, 6],
]

describe('shape', () => {
  it('is rows and columns', () => {
    expect(shape(wide)).toEqual([2, 3])
    expect(shape([])).toEqual([0, 0])
    expect(() => shape([[1], [1, 2]])).toThrow('differ')
    expect(() => at(wide, 2, 0)).toThrow('no cell 2,0')
  })
})

describe('products', () => {
  it('multiplies', () => {
    expect(multiply(wide, transpose(wide))).toEqual([
      [14, 32],
      [32, 77],
    ])
    expect(() => multiply(wide, wide)).toThrow('cannot multiply 2x3 by 2x3')
  })

  it('has an identity', () => {
    expect(identity(2)).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect(multiply(wide, identity(3))).toEqual(wide)
  })

  it('raises to powers', () => {
    const step = [
      [1, 1],
      [1, 0],
    ]
    expect(power(step, 10)).toEqual([
      [89, 55],
      [55, 34],
    ])
    expect(power(step, 0)).toEqual(identity(2))
    expect(() => power(wide, 2)).toThrow('square')
  })
})

describe('determinants', () => {
  it('are signed', () => {
    expect(determinant([[7]])).toBe(7)
    expect(
      determinant([
        [1, 2],
        [3, 4],
      ]),
    ).toBe(-2)
    expect(
      determinant([
        [2, 0, 1],
        [1, 3, 2],
        [1, 1, 4],
      ]),
    ).toBe(18)
  })
})

describe('turning', () => {
  it('goes clockwise', () => {
    expect(rotate(wide)).toEqual([
      [4, 1],
      [5, 2],
      [6, 3],
    ])
  })

  it('reads in a spiral', () => {
    expect(spiral(wide)).toEqual([1, 2, 3, 6, 5, 4])
    expect(
      spiral([
        [1, 2, 3],
        [8, 9, 4],
        [7, 6, 5],
      ]),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(spiral([])).toEqual([])
  })
})
