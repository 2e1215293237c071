// Which lines of a text are new or changed, against what it was.

/** Beyond it, everything between what is the same at both ends counts as changed. */
const cellsMax = 4_000_000

/** Numbers from 1, in order. */
export function changedLines(before: string | null, after: string): number[] {
  const [was, is] = [linesOf(before ?? ''), linesOf(after)]
  let head = 0
  while (head < was.length && head < is.length && was[head] === is[head]) head += 1
  let tail = 0
  const room = Math.min(was.length, is.length) - head
  while (tail < room && was.at(-1 - tail) === is.at(-1 - tail)) tail += 1
  const old = was.slice(head, was.length - tail)
  const fresh = is.slice(head, is.length - tail)
  const kept = old.length * fresh.length > cellsMax ? new Set<number>() : common(old, fresh)
  return fresh.flatMap((_, at) => (kept.has(at) ? [] : [head + at + 1]))
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Places in the second list of a longest common sequence. */
function common(one: readonly string[], other: readonly string[]): Set<number> {
  const width = other.length + 1
  const lengths = new Uint32Array((one.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = one.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const kept = new Set<number>()
  for (let row = 0, column = 0; row < one.length && column < other.length; ) {
    if (one[row] === other[column]) {
      kept.add(column)
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return kept
}
