export type Matrix = readonly (readonly number[])[]

export function shape(matrix: Matrix): [rows: number, columns: number] {
  const columns = matrix[0]?.length ?? 0
  if (matrix.some((row) => row.length !== columns)) throw new RangeError('rows differ in length')
  return [matrix.length, columns]
}

export function at(matrix: Matrix, row: number, column: number): number {
  const value = matrix[row]?.[column]
  if (value === undefined) throw new RangeError(`no cell ${row},${column}`)
  return value
}

export function build(
  rows: number,
  columns: number,
  cell: (row: number, column: number) => number,
): number[][] {
  return Array.from({ length: rows }, (_r, row) =>
    Array.from({ length: columns }, (_c, column) => cell(row, column)),
  )
}

export function identity(size: number): number[][] {
  return build(size, size, (row, column) => (row === column ? 1 : 0))
}

export function transpose(matrix: Matrix): number[][] {
  const [rows, columns] = shape(matrix)
  return build(columns, rows, (row, column) => at(matrix, column, row))
}

export function multiply(left: Matrix, right: Matrix): number[][] {
  const [rows, inner] = shape(left)
  const [others, columns] = shape(right)
  if (inner !== others) throw new RangeError(`cannot multiply ${rows}x${inner} by ${others}x${columns}`)
  return build(rows, columns, (row, column) => {
    let sum = 0
    for (let k = 0; k < inner; k += 1) sum += at(left, row, k) * at(right, k, column)
    return sum
  })
}

export function power(matrix: Matrix, exponent: number): number[][] {
  const [rows, columns] = shape(matrix)
  if (rows !== columns) throw new RangeError('only square matrices have powers')
  let result = identity(rows)
  let base = matrix.map((row) => [...row])
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, base)
    base = multiply(base, base)
  }
  return result
}

// Expansion along the first row.
export function determinant(matrix: Matrix): number {
  const [rows, columns] = shape(matrix)
  if (rows !== columns) throw new RangeError('only square matrices have determinants')
  if (rows === 0) return 1
  let total = 0
  for (let column = 0; column < columns; column += 1) {
    const sign = column % 2 === 0 ? 1 : -1
    total += sign * at(matrix, 0, column) * determinant(minor(matrix, 0, column))
  }
  return total
}

function minor(matrix: Matrix, row: number, column: number): number[][] {
  return matrix.filter((_, r) => r !== row).map((cells) => cells.filter((_, c) => c !== column))
}

// A quarter turn clockwise.
export function rotate(matrix: Matrix): number[][] {
  const [rows, columns] = shape(matrix)
  return build(columns, rows, (row, column) => at(matrix, rows - 1 - column, row))
}

export function spiral(matrix: Matrix): number[] {
  const [first, ...rest] = matrix
  if (!first) return []
  const turned = rest.length === 0 ? [] : rotate(rotate(rotate(rest)))
  return [...first, ...spiral(turned)]
}
