import { expect, test } from 'vitest'
import { type AskedCall, CallBook } from './call-book.ts'

function book(atOnce = 2) {
  const clock = { ms: 0 }
  const limit = { atOnce }
  const calls = new CallBook(
    () => clock.ms,
    () => limit.atOnce,
  )
  return { clock, limit, calls }
}

const call = (id: string, n = 1, pid = n * 100): AskedCall => ({ id, agentId: `agent-${n}`, pid })

test.each([1, 2, 3])('with %d at once, so many go and the next waits', (atOnce) => {
  const { calls } = book(atOnce)
  for (let n = 1; n <= atOnce; n += 1) expect(calls.ask(call(`c${n}`, n))).toEqual({ is: 'go' })
  expect(calls.ask(call('next', 9))).toEqual({ is: 'wait', ahead: 0 })
  expect(calls.counts()).toEqual({ underWay: atOnce, waiting: 1 })
})

test('who asked first goes first, however often the others ask', () => {
  const { calls } = book(1)
  expect(calls.ask(call('a'))).toEqual({ is: 'go' })
  expect(calls.ask(call('b', 2))).toEqual({ is: 'wait', ahead: 0 })
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 1 })
  calls.end('a')
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 0 })
  expect(calls.ask(call('b', 2))).toEqual({ is: 'go' })
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 0 })
  calls.end('b')
  expect(calls.ask(call('c', 3))).toEqual({ is: 'go' })
})

test('a call that is asked for twice is one, and one that ends twice frees one place', () => {
  const { calls } = book(2)
  for (const _ of [1, 2]) expect(calls.ask(call('a'))).toEqual({ is: 'go' })
  expect(calls.counts()).toEqual({ underWay: 1, waiting: 0 })
  expect([calls.end('a'), calls.end('a')]).toEqual([true, false])
  expect(calls.counts()).toEqual({ underWay: 0, waiting: 0 })
})

test('a call is over when it is not heard of, and stands as long as it is', () => {
  const { calls, clock } = book(1)
  calls.ask(call('a'))
  clock.ms = 119_999
  expect(calls.goesOn(call('a'))).toEqual({ is: 'go' })
  clock.ms = 239_998
  expect(calls.ask(call('b', 2))).toEqual({ is: 'wait', ahead: 0 })
  clock.ms = 239_999
  expect(calls.ask(call('b', 2))).toEqual({ is: 'go' })
})

test('who waits and does not ask again is in nobody’s way', () => {
  const { calls, clock } = book(1)
  calls.ask(call('a'))
  calls.ask(call('gone', 2), 5_000)
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 1 })
  clock.ms = 9_000
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 1 })
  clock.ms = 15_000
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 0 })
})

test('what a process had ends with it, by a look or by the next that comes under its name', () => {
  const { calls } = book(2)
  calls.ask(call('a', 1, 100))
  calls.ask(call('b', 2, 200))
  expect(calls.keepOnly(({ pid }) => pid !== 200)).toBe(true)
  expect(calls.keepOnly(({ pid }) => pid !== 200)).toBe(false)
  expect(calls.counts().underWay).toBe(1)
  expect(calls.ask(call('c', 1, 101))).toEqual({ is: 'go' })
  expect(calls.counts().underWay).toBe(1)
})

test('a book that knows nothing is told what goes on, and lets nobody else begin until there is room', () => {
  const { calls, limit } = book(1)
  calls.goesOn(call('a'))
  calls.goesOn(call('b', 2))
  expect(calls.counts().underWay).toBe(2)
  calls.end('a')
  expect(calls.ask(call('c', 3))).toEqual({ is: 'wait', ahead: 0 })
  limit.atOnce = 2
  expect(calls.ask(call('c', 3))).toEqual({ is: 'go' })
})
