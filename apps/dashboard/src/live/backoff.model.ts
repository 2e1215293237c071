// The wait before the next try: doubling, bounded, spread so that many pages do not return at once.
const FIRST_MS = 250
export const BACKOFF_MS_MAX = 5_000

/** `attempt` counts failures in a row from 0; `random` is in [0, 1). */
export function backoffMs(attempt: number, random: number): number {
  const doubled = FIRST_MS * 2 ** Math.min(attempt, 16)
  const spread = 0.8 + 0.4 * random
  return Math.round(Math.min(BACKOFF_MS_MAX, doubled * spread))
}
