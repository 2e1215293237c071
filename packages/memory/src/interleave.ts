// The order of attempts where memory has a say.

/**
 * What memory proposes takes every second place, so that what the default order has at place n
 * comes at place 2n at the latest: a wrong memory costs at most twice the attempts.
 */
export function interleave<T>(
  resolutions: readonly T[],
  defaults: readonly T[],
  keyOf: (attempt: T) => unknown = (attempt) => attempt,
): T[] {
  const order = new Map<unknown, T>()
  let next = 0
  const takeResolution = () => {
    const before = order.size
    for (; next < resolutions.length && order.size === before; next += 1)
      take(order, resolutions[next], keyOf)
  }
  for (const attempt of defaults) {
    takeResolution()
    take(order, attempt, keyOf)
  }
  while (next < resolutions.length) takeResolution()
  return [...order.values()]
}

/** What is in both lists is tried once, at its first place. */
function take<T>(order: Map<unknown, T>, attempt: T | undefined, keyOf: (attempt: T) => unknown): void {
  if (attempt === undefined) return
  const key = keyOf(attempt)
  if (!order.has(key)) order.set(key, attempt)
}
