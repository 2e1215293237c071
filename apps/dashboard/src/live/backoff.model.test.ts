import { expect, test } from 'vitest'
import { BACKOFF_MS_MAX, backoffMs } from './backoff.model.ts'

test.each([
  { attempt: 0, random: 0.5, ms: 250 },
  { attempt: 1, random: 0.5, ms: 500 },
  { attempt: 2, random: 0.5, ms: 1_000 },
  { attempt: 4, random: 0.5, ms: 4_000 },
  { attempt: 0, random: 0, ms: 200 },
  { attempt: 5, random: 0.5, ms: BACKOFF_MS_MAX },
  { attempt: 10_000, random: 0.99, ms: BACKOFF_MS_MAX },
])('failure $attempt with chance $random waits $ms ms', ({ attempt, random, ms }) => {
  expect(backoffMs(attempt, random)).toBe(ms)
})
