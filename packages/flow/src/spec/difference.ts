// The difference between two texts, line by line, as people read it.

const LINES_MAX = 200
const COMPARED_MAX = 2_000

/** Lines that went with `-`, lines that came with `+`, in their order. */
export function differenceOf(before: string, after: string): string[] {
  const [one, other] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1
  let tail = 0
  while (tail < one.length - head && tail < other.length - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1
  const lines = changes(one.slice(head, one.length - tail), other.slice(head, other.length - tail))
  return lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX), `… and ${lines.length - LINES_MAX} lines more`]
}

function changes(one: readonly string[], other: readonly string[]): string[] {
  const [rows, columns] = [one.length, other.length]
  if (rows > COMPARED_MAX || columns > COMPARED_MAX) return [...one.map((line) => `-${line}`), ...other.map((line) => `+${line}`)]
  const common = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1))
  const at = (row: number, column: number) => common[row]?.[column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const same = one[row] === other[column]
      const most = same ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      const line = common[row]
      if (line !== undefined) line[column] = most
    }
  const lines: string[] = []
  let [row, column] = [0, 0]
  while (row < rows || column < columns) {
    if (row < rows && column < columns && one[row] === other[column]) {
      row += 1
      column += 1
    } else if (column >= columns || (row < rows && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(`-${one[row]}`)
      row += 1
    } else {
      lines.push(`+${other[column]}`)
      column += 1
    }
  }
  return lines
}
