// Half-open intervals of numbers: the start belongs to an interval, the end does not.
export type Interval = { start: number; end: number }

export function normalise(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals
    .filter((interval) => interval.start < interval.end)
    .map((interval) => ({ ...interval }))
    .sort((a, b) => a.start - b.start)
  const merged: Interval[] = []
  for (const interval of sorted) {
    const last = merged.at(-1)
    if (last && interval.start <= last.end) {
      last.end = Math.max(last.end, interval.end)
    } else {
      merged.push(interval)
    }
  }
  return merged
}

export function contains(intervals: readonly Interval[], point: number): boolean {
  return intervals.some((interval) => interval.start <= point && point < interval.end)
}

export function intersect(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  const a = normalise(left)
  const b = normalise(right)
  const result: Interval[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const x = a[i]
    const y = b[j]
    if (!x || !y) break
    const start = Math.max(x.start, y.start)
    const end = Math.min(x.end, y.end)
    if (start < end) result.push({ start, end })
    if (x.end < y.end) i += 1
    else j += 1
  }
  return result
}

export function subtract(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  let rest = normalise(left)
  for (const hole of normalise(right)) {
    rest = rest.flatMap((interval) => cut(interval, hole))
  }
  return rest
}

function cut(interval: Interval, hole: Interval): Interval[] {
  if (hole.end <= interval.start || interval.end <= hole.start) return [interval]
  const pieces: Interval[] = []
  if (interval.start < hole.start) pieces.push({ start: interval.start, end: hole.start })
  if (hole.end < interval.end) pieces.push({ start: hole.end, end: interval.end })
  return pieces
}

export function gaps(intervals: readonly Interval[], within: Interval): Interval[] {
  return subtract([within], intervals)
}

export function totalLength(intervals: readonly Interval[]): number {
  return normalise(intervals).reduce((sum, interval) => sum + interval.end - interval.start, 0)
}

// The first place where a block of this length fits, or null.
export function firstFit(busy: readonly Interval[], within: Interval, length: number): number | null {
  const gap = gaps(busy, within).find((free) => free.end - free.start >= length)
  return gap ? gap.start : null
}
