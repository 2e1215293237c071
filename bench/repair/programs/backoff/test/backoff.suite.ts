import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsWithin, defaults, delayAfter, schedule, totalWait, withJitter } from '../src/backoff.ts'
import { Fatal, retry } from '../src/retry.ts'

test('delays grow up to the maximum', () => {
  assert.equal(delayAfter(1), 100)
  assert.equal(delayAfter(3), 400)
  assert.equal(delayAfter(10), 5000)
  assert.throws(() => delayAfter(0), RangeError)
})

test('jitter keeps at least half', () => {
  assert.equal(withJitter(100, 0), 50)
  assert.equal(withJitter(100, 0.5), 75)
  assert.equal(withJitter(101, 0.99), 100)
})

test('a schedule has one wait fewer than attempts', () => {
  assert.deepEqual(schedule(), [100, 200, 400])
  assert.equal(totalWait(), 700)
  assert.deepEqual(schedule({ ...defaults, attempts: 0 }), [])
})

test('attempts that fit', () => {
  assert.equal(attemptsWithin(1000, 100), 3)
  assert.equal(attemptsWithin(300, 100), 2)
  assert.equal(attemptsWithin(60_000, 100), 4)
  assert.equal(attemptsWithin(99, 100), 0)
})

test('work is tried again until it succeeds', async () => {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  const result = await retry(
    async (attempt) => {
      if (attempt < 3) throw new Error(`no ${attempt}`)
      return `yes ${attempt}`
    },
    { sleep },
  )
  assert.equal(result, 'yes 3')
  assert.deepEqual(waits, [100, 200])
})

test('the last error is thrown and no wait follows it', async () => {
  const log: string[] = []
  const failing = retry(
    async (attempt) => {
      log.push(`try ${attempt}`)
      throw new Error(`no ${attempt}`)
    },
    {
      policy: { attempts: 2, baseMs: 7 },
      sleep: async (ms) => {
        await Promise.resolve()
        log.push(`slept ${ms}`)
      },
      onRetry: (attempt, waitMs) => log.push(`after ${attempt} wait ${waitMs}`),
    },
  )
  await assert.rejects(failing, /no 2/)
  assert.deepEqual(log, ['try 1', 'after 1 wait 7', 'slept 7', 'try 2'])
})

test('a fatal error ends it at once', async () => {
  let tries = 0
  const failing = retry(
    async () => {
      tries += 1
      throw new Fatal('stop')
    },
    { sleep: async () => undefined },
  )
  await assert.rejects(failing, /stop/)
  assert.equal(tries, 1)
})
