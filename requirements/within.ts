// For rows that promise something within a time: the best of six tries must keep it. A machine that is busy for a
// moment is forgiven, a product that is slow is not. Such tests are long tests.
import { expect } from 'vitest'

const TRIES = 6

/** `measure` gives milliseconds; it is told how many tries there were before. */
export async function expectWithin(
  limitMs: number,
  measure: (triesBefore: number) => Promise<number>,
): Promise<void> {
  const took: number[] = []
  while (took.length < TRIES && !took.some((ms) => ms <= limitMs)) took.push(await measure(took.length))
  const all = took.map((ms) => `${Math.round(ms)} ms`).join(', ')
  expect(Math.min(...took), `the best of ${all}`).toBeLessThanOrEqual(limitMs)
}

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await act()
  return performance.now() - before
}
