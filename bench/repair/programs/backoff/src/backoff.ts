export type Policy = { baseMs: number; factor: number; maxMs: number; attempts: number }

export const defaults: Policy = { baseMs: 100, factor: 2, maxMs: 5000, attempts: 4 }

// How long to wait after the given failed attempt; the first attempt is number 1.
export function delayAfter(attempt: number, policy: Policy = defaults): number {
  if (attempt < 1) throw new RangeError('attempts count from 1')
  return Math.min(policy.baseMs * policy.factor ** (attempt - 1), policy.maxMs)
}

// Between half of the delay and all of it; chance is from 0 (included) to 1 (excluded).
export function withJitter(delayMs: number, chance: number): number {
  return Math.round(delayMs / 2 + (delayMs / 2) * chance)
}

// The waits of a whole run: there is none after the last attempt.
export function schedule(policy: Policy = defaults): number[] {
  return Array.from({ length: Math.max(0, policy.attempts - 1) }, (_, index) => delayAfter(index + 1, policy))
}

export function totalWait(policy: Policy = defaults): number {
  return schedule(policy).reduce((sum, wait) => sum + wait, 0)
}

// The number of attempts that fit when each takes this long.
export function attemptsWithin(limitMs: number, attemptMs: number, policy: Policy = defaults): number {
  let spent = 0
  for (let attempt = 1; attempt <= policy.attempts; attempt += 1) {
    spent += attemptMs
    if (spent > limitMs) return attempt - 1
    spent += delayAfter(attempt, policy)
  }
  return policy.attempts
}
