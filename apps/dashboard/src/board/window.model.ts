// The part of a long list that is drawn: rows of one height, those in sight and some beside them.

export interface Range {
  readonly from: number
  /** The first that is not drawn. */
  readonly to: number
}

/** Rows are taken in steps, so that a small scroll draws nothing anew. */
const STEP = 4

export function rangeOf(scrolled: number, height: number, rowHeight: number, count: number): Range {
  const first = Math.floor(Math.max(0, scrolled) / rowHeight / STEP) * STEP
  const rows = Math.ceil(height / rowHeight / STEP) * STEP
  const from = Math.max(0, Math.min(first, count) - STEP)
  return { from, to: Math.min(count, first + rows + 2 * STEP) }
}

/** The scroll that brings a row into sight; null: it is there. */
export function scrollTo(index: number, scrolled: number, height: number, rowHeight: number): number | null {
  const top = index * rowHeight
  if (top < scrolled) return top
  const bottom = top + rowHeight
  return bottom > scrolled + height ? bottom - height : null
}
