import { expect, test } from 'vitest'
import { heldBy, mayKeepThought, pickThought } from './thought-lease.ts'

test.each([
  ['just claimed, and never heard of', { claimedAt: 900, lastHeartbeatAt: null }, true],
  ['claimed long ago, and alive', { claimedAt: 0, lastHeartbeatAt: 950 }, true],
  ['killed a moment ago: it may come back with the answer', { claimedAt: 0, lastHeartbeatAt: 900 }, true],
  ['silent for longer', { claimedAt: 0, lastHeartbeatAt: 899 }, false],
])('an agent that is %s', (_, facts, mayKeep) => {
  expect(mayKeepThought({ now: 1_000, silentMs: 100, ...facts })).toBe(mayKeep)
})

test('a thought is offered unless its engine rests or nothing may be spent', () => {
  const open = [{ engine: 'native' }, { engine: 'codex' }]
  expect(pickThought({ open, resting: [], hold: null })).toEqual({ engine: 'native' })
  expect(pickThought({ open, resting: ['native'], hold: null })).toEqual({ engine: 'codex' })
  expect(pickThought({ open, resting: ['native', 'codex'], hold: null })).toBeNull()
  expect(pickThought({ open, resting: [], hold: 'the daily budget is used up' })).toBeNull()
})

test('near the end of the money nothing new is begun, but what was built is judged', () => {
  const why = 'nearly used up'
  expect([heldBy({ is: 'none' }, false), heldBy({ is: 'none' }, true)]).toEqual([null, null])
  expect([heldBy({ is: 'claims', why }, false), heldBy({ is: 'claims', why }, true)]).toEqual([why, null])
  expect([heldBy({ is: 'all', why }, false), heldBy({ is: 'all', why }, true)]).toEqual([why, why])
})
