import { expect, test } from 'vitest'
import { patient } from './daemon-link.ts'

/** The signal that reaches the network. */
async function signalOf(init: RequestInit): Promise<AbortSignal | null | undefined> {
  let seen: AbortSignal | null | undefined
  const ask = patient(async (_, given) => {
    seen = given?.signal
    return new Response('{}')
  })
  await ask('http://daemon/api/orders', init)
  return seen
}

test('an order is given up only when whoever ordered it says so', async () => {
  const { signal } = new AbortController()
  expect(await signalOf({ method: 'POST', signal })).toBe(signal)
  expect(await signalOf({ method: 'POST' })).toBeUndefined()
})

test('a question is given up by itself, and when whoever asked says so', async () => {
  const asking = new AbortController()
  const signal = await signalOf({ method: 'GET', signal: asking.signal })
  expect(signal).not.toBe(asking.signal)
  expect(signal?.aborted).toBe(false)
  asking.abort()
  expect(signal?.aborted).toBe(true)
  expect(await signalOf({ method: 'GET' })).toBeInstanceOf(AbortSignal)
})
