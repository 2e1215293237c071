// How near a value came to what a test waits for: faults may spoil different parts of one value.

const DEPTH_MAX = 6
const LEAVES_MAX = 300

interface Tally {
  same: number
  all: number
}

/** From 0 to 1: the share of the leaves that are right. */
export function nearness(actual: unknown, expected: unknown): number {
  const tally = { same: 0, all: 0 }
  try {
    count(actual, expected, DEPTH_MAX, tally)
  } catch {
    // A getter of the program may throw.
    return 0
  }
  return tally.all === 0 ? 0 : tally.same / tally.all
}

function count(actual: unknown, expected: unknown, depth: number, tally: Tally): void {
  if (tally.all >= LEAVES_MAX) return
  const [own, wanted] = [entriesOf(actual), entriesOf(expected)]
  if (own === null || wanted === null || depth === 0) {
    tally.all += 1
    tally.same += likeness(actual, expected)
    return
  }
  const keys = new Set([...wanted.keys(), ...own.keys()])
  // What is empty on both sides is right.
  if (keys.size === 0) count(true, true, depth, tally)
  for (const key of keys) count(own.get(key), wanted.get(key), depth - 1, tally)
}

/** The entries of a value; null for one that has no parts. */
function entriesOf(value: unknown): Map<unknown, unknown> | null {
  if (typeof value !== 'object' || value === null || value instanceof Date) return null
  if (value instanceof Map) return value
  if (value instanceof Set) return new Map([...value].map((item) => [item, true]))
  return new Map(Object.entries(value))
}

/** The likeness of two texts: how much is the same at both ends. */
function likeness(actual: unknown, expected: unknown): number {
  if (Object.is(actual, expected)) return 1
  if (typeof actual !== 'string' || typeof expected !== 'string') return 0
  const most = Math.max(actual.length, expected.length)
  const least = Math.min(actual.length, expected.length)
  let head = 0
  while (head < least && actual[head] === expected[head]) head += 1
  let tail = 0
  while (tail < least - head && actual.at(-1 - tail) === expected.at(-1 - tail)) tail += 1
  return (head + tail) / (most + 1)
}
