// Where two sides changed the same lines of what both began with.
import type { LineRange } from '@treadle/contracts/conflict'

/** Lines beside each other count as the same place, as they do for git. */
const NEAR = 1

export function overlaps(one: readonly LineRange[], other: readonly LineRange[]): LineRange[] {
  const found = one.flatMap((mine) =>
    other.flatMap((theirs) =>
      mine.from <= theirs.to + NEAR && theirs.from <= mine.to + NEAR
        ? [{ from: Math.min(mine.from, theirs.from), to: Math.max(mine.to, theirs.to) }]
        : [],
    ),
  )
  return joined(found.sort((a, b) => a.from - b.from))
}

function joined(ranges: readonly LineRange[]): LineRange[] {
  const whole: LineRange[] = []
  for (const range of ranges) {
    const last = whole.at(-1)
    if (last !== undefined && range.from <= last.to + NEAR)
      whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else whole.push(range)
  }
  return whole
}
