// The difference between two texts, line by line, as people read it.

const LINES_MAX = 200
const COMPARED_MAX = 2_000

/** Lines that went with `-`, lines that came with `+`, in their order. */
export function differenceOf(before: string, after: string): string[] {
  const [one, other] = [before.split('\n'), after.split('\n')]
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1
  let tail = 0
  while (tail < one.length - head && tail < other.length - head && one.at(-1 - tail) === other.at(-1 - tail))
    tail += 1
  const lines = changes(one.slice(head, one.length - tail), other.slice(head, other.length - tail))
  return lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX), `… and ${lines.length - LINES_MAX} lines more`]
}

function changes(one: readonly string[], other: readonly string[]): string[] {
  if (one.length > COMPARED_MAX || other.length > COMPARED_MAX)
    return [...one.map((line) => `-${line}`), ...other.map((line) => `+${line}`)]
  const common = commonOf(one, other)
  const lines: string[] = []
  let [row, column] = [0, 0]
  while (row < one.length || column < other.length) {
    const [gone, come] = [one[row], other[column]]
    if (gone !== undefined && gone === come) {
      row += 1
      column += 1
    } else if (
      gone !== undefined &&
      (come === undefined || common(row + 1, column) >= common(row, column + 1))
    ) {
      lines.push(`-${gone}`)
      row += 1
    } else {
      lines.push(`+${come}`)
      column += 1
    }
  }
  return lines
}

/** How many lines the rests of both texts have in common, in order. */
function commonOf(one: readonly string[], other: readonly string[]): (row: number, column: number) => number {
  const width = other.length + 1
  const table = new Uint16Array((one.length + 1) * width)
  const at = (row: number, column: number) => table[row * width + column] ?? 0
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      table[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  return at
}
