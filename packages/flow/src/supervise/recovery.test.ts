import { expect, test } from 'vitest'
import { decideProcess } from './recovery.ts'

const dead = {
  wanted: 'running',
  alive: false,
  restartsLastHour: 0,
  restartsMax: 5,
  msSinceRestart: null,
} as const
test.each([
  [dead, 'start'],
  [{ ...dead, alive: true }, 'leave'],
  [{ ...dead, wanted: 'stopped' as const, alive: true }, 'stop'],
  [{ ...dead, wanted: 'stopped' as const }, 'leave'],
  [{ ...dead, wanted: 'paused' as const }, 'leave'],
  [{ ...dead, restartsLastHour: 4, msSinceRestart: 4_999 }, 'wait'],
  [{ ...dead, restartsLastHour: 4, msSinceRestart: 5_000 }, 'start'],
  [{ ...dead, restartsLastHour: 5 }, 'give_up'],
])('a process with %j: %s', (facts, is) => {
  expect(decideProcess(facts).is).toBe(is)
})
