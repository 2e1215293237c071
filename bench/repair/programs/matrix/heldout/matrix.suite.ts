import { describe, expect, it } from 'vitest'
import {
  at,
  build,
  determinant,
  identity,
  multiply,
  power,
  rotate,
  shape,
  spiral,
  transpose,
} from '../src/matrix.ts'

let state = 83
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const randomMatrix = (rows: number, columns: number) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => random(9) - 4))
const cell = (matrix: readonly (readonly number[])[], row: number, column: number) =>
  matrix[row]?.[column] ?? Number.NaN

// By Leibniz: the signed sum over all permutations.
function leibniz(matrix: readonly (readonly number[])[], used: number[] = []): number {
  const row = used.length
  if (row === matrix.length) {
    const inversions = used.flatMap((a, i) => used.slice(i + 1).filter((b) => b < a)).length
    const product = used.reduce((value, column, r) => value * cell(matrix, r, column), 1)
    return inversions % 2 === 0 ? product : -product
  }
  return matrix.reduce((sum, _, c) => (used.includes(c) ? sum : sum + leibniz(matrix, [...used, c])), 0)
}

describe('random matrices', () => {
  it('are transposed, multiplied and turned cell by cell', () => {
    for (let round = 0; round < 80; round += 1) {
      const [rows, inner, columns] = [random(4) + 1, random(4) + 1, random(4) + 1]
      const a = randomMatrix(rows, inner)
      const b = randomMatrix(inner, columns)
      const copy = structuredClone(a)
      const product = multiply(a, b)
      expect(shape(product)).toEqual([rows, columns])
      const turned = rotate(a)
      const flipped = transpose(a)
      expect(shape(turned)).toEqual([inner, rows])
      for (let r = 0; r < rows; r += 1) {
        for (let c = 0; c < columns; c += 1) {
          const sum = b.reduce((total, line, k) => total + cell(a, r, k) * (line[c] ?? Number.NaN), 0)
          expect(cell(product, r, c) + 0).toBe(sum + 0)
        }
        for (let c = 0; c < inner; c += 1) {
          expect(cell(flipped, c, r)).toBe(cell(a, r, c))
          expect(cell(turned, c, rows - 1 - r)).toBe(cell(a, r, c))
        }
      }
      expect(a).toEqual(copy)
    }
  })

  it('have determinants and powers', () => {
    for (let round = 0; round < 60; round += 1) {
      const size = random(4) + 1
      const matrix = randomMatrix(size, size)
      expect(determinant(matrix) + 0).toBe(leibniz(matrix) + 0)
      let expected = identity(size)
      for (let exponent = 0; exponent < 7; exponent += 1) {
        expect(power(matrix, exponent).map((row) => row.map((value) => value + 0))).toEqual(expected)
        expected = multiply(expected, matrix).map((row) => row.map((value) => value + 0))
      }
    }
    expect(determinant([])).toBe(1)
  })

  it('are read in a spiral', () => {
    for (let rows = 1; rows <= 5; rows += 1) {
      for (let columns = 1; columns <= 5; columns += 1) {
        const grid = build(rows, columns, (r, c) => r * columns + c)
        const seen = new Set<number>()
        let [r, c, dr, dc] = [0, 0, 0, 1]
        while (seen.size < rows * columns) {
          seen.add(r * columns + c)
          const next = grid[r + dr]?.[c + dc]
          if (next === undefined || seen.has(next)) [dr, dc] = [dc, -dr]
          r += dr
          c += dc
        }
        expect(spiral(grid)).toEqual([...seen])
      }
    }
  })
})

describe('refusals', () => {
  it('name what is wrong', () => {
    expect(() => shape([[1, 2], [3]])).toThrow('rows differ in length')
    expect(() => at([[1]], 0, 1)).toThrow('no cell 0,1')
    expect(() => at([[1]], -1, 0)).toThrow('no cell -1,0')
    expect(at([[0]], 0, 0)).toBe(0)
    expect(() => multiply([[1, 2]], [[1, 2]])).toThrow('cannot multiply 1x2 by 1x2')
    expect(() => power([[1, 2]], 1)).toThrow('only square matrices have powers')
    expect(() => determinant([[1, 2]])).toThrow('only square matrices have determinants')
    expect(multiply([[1], [2]], [[3, 4]])).toEqual([
      [3, 4],
      [6, 8],
    ])
    expect(identity(3)[1]).toEqual([0, 1, 0])
  })
})
