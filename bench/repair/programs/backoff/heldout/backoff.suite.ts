import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsWithin, delayAfter, type Policy, schedule, totalWait, withJitter } from '../src/backoff.ts'
import { Fatal, retry } from '../src/retry.ts'

const policies: Policy[] = [
  { baseMs: 10, factor: 3, maxMs: 500, attempts: 6 },
  { baseMs: 1, factor: 1, maxMs: 9, attempts: 3 },
  { baseMs: 50, factor: 1.5, maxMs: 60, attempts: 1 },
  { baseMs: 8, factor: 2, maxMs: 64, attempts: 8 },
]

function waitsOf(policy: Policy): number[] {
  const waits: number[] = []
  let wait = policy.baseMs
  for (let index = 1; index < policy.attempts; index += 1) {
    waits.push(Math.min(wait, policy.maxMs))
    wait *= policy.factor
  }
  return waits
}

test('schedules of several policies', () => {
  for (const policy of policies) {
    const waits = waitsOf(policy)
    assert.deepEqual(schedule(policy), waits)
    assert.equal(
      totalWait(policy),
      waits.reduce((sum, wait) => sum + wait, 0),
    )
    for (const [index, wait] of waits.entries()) assert.equal(delayAfter(index + 1, policy), wait)
  }
  assert.throws(() => delayAfter(-2), RangeError)
  assert.throws(() => delayAfter(0), RangeError)
})

test('jitter', () => {
  for (const delay of [0, 1, 10, 333, 5000]) {
    for (const chance of [0, 0.1, 0.25, 0.5, 0.9, 0.999]) {
      assert.equal(withJitter(delay, chance), Math.round(delay * (0.5 + chance / 2)))
    }
  }
})

test('attempts within a limit, by walking the clock', () => {
  for (const policy of policies) {
    for (const attemptMs of [0, 5, 40]) {
      for (let limit = 0; limit <= 400; limit += 5) {
        const waits = [0, ...waitsOf(policy)]
        let clock = 0
        let fit = 0
        for (const wait of waits) {
          clock += wait + attemptMs
          if (clock <= limit) fit += 1
        }
        assert.equal(attemptsWithin(limit, attemptMs, policy), fit)
      }
    }
  }
})

test('retry by policy', async () => {
  for (const policy of policies) {
    for (let good = 1; good <= policy.attempts + 1; good += 1) {
      const waits: number[] = []
      const told: [number, number][] = []
      let sleeping = false
      const running = retry(
        async (attempt) => {
          assert.equal(sleeping, false)
          await Promise.resolve()
          if (attempt !== good) throw new Error(`failed ${attempt}`)
          return attempt * 10
        },
        {
          policy,
          sleep: async (ms) => {
            sleeping = true
            await Promise.resolve()
            await Promise.resolve()
            sleeping = false
            waits.push(ms)
          },
          onRetry: (attempt, waitMs) => told.push([attempt, waitMs]),
        },
      )
      const expected = waitsOf(policy).slice(0, good - 1)
      if (good > policy.attempts)
        await assert.rejects(running, new RegExp(`^Error: failed ${policy.attempts}$`))
      else assert.equal(await running, good * 10)
      assert.deepEqual(waits, expected)
      assert.deepEqual(
        told,
        expected.map((wait, index) => [index + 1, wait]),
      )
    }
  }
})

test('fatal at the second attempt, and no attempts at all', async () => {
  const seen: number[] = []
  const failing = retry(
    async (attempt) => {
      seen.push(attempt)
      throw attempt === 2 ? new Fatal('over') : new Error('again')
    },
    { sleep: async () => undefined },
  )
  await assert.rejects(failing, Fatal)
  assert.deepEqual(seen, [1, 2])
  const none = retry(async () => 1, { policy: { attempts: 0 }, sleep: async () => undefined })
  await assert.rejects(none, /no attempt was made/)
})
