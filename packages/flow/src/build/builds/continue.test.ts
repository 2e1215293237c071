// Whether a build goes on: the stop conditions, each just before, at and just after its boundary.
import { expect, test } from 'vitest'
import { decideContinue } from './continue.ts'

const HOUR_MS = 3_600_000
const well = {
  failed: 0,
  databaseFailed: false,
  workedMs: 0,
  stopSignal: false,
  failuresMax: 3,
  timeMaxMs: 2 * HOUR_MS,
}

test.each([
  ['nothing is wrong', {}, 'continue', 'Continue'],
  ['3 tasks have failed', { failed: 3 }, 'continue', 'Continue'],
  ['4 tasks have failed', { failed: 4 }, 'failed', 'Too many failures (>3)'],
  [
    'a database task has failed',
    { failed: 1, databaseFailed: true },
    'failed',
    'Critical database task failed',
  ],
  ['exactly 2 hours', { workedMs: 2 * HOUR_MS }, 'continue', 'Continue'],
  ['over 2 hours', { workedMs: 2 * HOUR_MS + 1 }, 'stopped', 'Time limit exceeded (2 hours)'],
  ['somebody said stop', { stopSignal: true }, 'stopped', 'Stop signal received'],
  ['failures come first', { failed: 4, stopSignal: true }, 'failed', 'Too many failures (>3)'],
  [
    'another limit is said as it is',
    { workedMs: 60_001, timeMaxMs: 60_000 },
    'stopped',
    'Time limit exceeded (1 minute)',
  ],
] as const)('%s', (_, facts, is, reason) => {
  expect(decideContinue({ ...well, ...facts })).toEqual({ is, reason })
})
