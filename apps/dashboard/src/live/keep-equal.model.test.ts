import { expect, test } from 'vitest'
import { keepEqual } from './keep-equal.model.ts'

const old = {
  agents: [
    { id: 'agent-1', beat: 1 },
    { id: 'agent-2', beat: 1 },
  ],
  costs: { day: { usd: 1 } },
  at: 1,
}

test('what is the same all through is the same object', () => {
  expect(keepEqual(old, structuredClone(old))).toBe(old)
})

test('of what has changed only the changed parts are new', () => {
  const fresh = structuredClone(old)
  fresh.at = 2
  fresh.agents[1] = { id: 'agent-2', beat: 2 }
  const kept = keepEqual(old, fresh)
  expect(kept).toEqual(fresh)
  expect(kept.costs).toBe(old.costs)
  expect(kept.agents).not.toBe(old.agents)
  expect(kept.agents[0]).toBe(old.agents[0])
})

test.each([
  { was: null, is: { a: 1 } },
  { was: { a: 1 }, is: null },
  { was: { a: undefined }, is: { b: undefined } },
  { was: { a: 1, b: 2 }, is: { a: 1 } },
  { was: { a: 1 }, is: { a: 1, b: 2 } },
  { was: [1, 2], is: [1] },
  { was: [1], is: [1, 2] },
  { was: [1], is: { 0: 1 } },
  { was: { 0: 1 }, is: [1] },
  { was: [[]], is: [{}] },
])('$was is not taken for $is', ({ was, is }) => {
  expect(keepEqual(was, is)).toStrictEqual(is)
})
