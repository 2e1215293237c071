import { Config } from '@treadle/contracts/config'
import { expect, test } from 'vitest'
import { decideComponent, decideDeadlock, decideStuck } from './decide.ts'

const { monitoring } = Config.parse({})
const MINUTE = 60_000
const stuck = (durationMs: number) => decideStuck({ task: '#4', agentId: 'agent-1', durationMs }, monitoring)

test.each([
  [10 * MINUTE + 1, 'WATCH'],
  [20 * MINUTE - 1, 'WATCH'],
  [20 * MINUTE, 'WATCH'],
  [20 * MINUTE + 1, 'ESCALATE'],
  [30 * MINUTE, 'ESCALATE'],
  [30 * MINUTE + 1, 'INTERRUPT'],
  [600 * MINUTE, 'INTERRUPT'],
])('a task that is stuck for %i ms: %s', (durationMs, action) => {
  expect(stuck(durationMs).action).toBe(action)
})

test('each decision says whom it concerns, why, and what follows', () => {
  expect(stuck(30 * MINUTE + 1)).toMatchObject({
    target: 'agent-1',
    reason: 'Task exceeded 30 minute timeout',
    followUp: 'SKIP_AND_CONTINUE',
    checkAgainMs: null,
  })
  expect(stuck(21 * MINUTE)).toMatchObject({
    target: 'human',
    reason: 'Task #4 stuck for 21 min. Skip or wait?',
    options: ['wait', 'skip', 'retry'],
  })
  expect(stuck(11 * MINUTE)).toMatchObject({ target: null, checkAgainMs: 5 * MINUTE, options: [] })
})

test.each([
  ['it is to run', { wanted: 'running', status: 'idle', restarts: 0 }, 'RESTART'],
  ['it was given up', { wanted: 'running', status: 'failed', restarts: 2 }, 'RESTART'],
  ['nobody has ever started it', { wanted: null, status: null, restarts: 0 }, 'RESTART'],
  ['it was restarted three times', { wanted: 'running', status: 'idle', restarts: 3 }, 'ESCALATE'],
  ['a person has stopped it', { wanted: 'stopped', status: 'stopped', restarts: 0 }, 'LEAVE'],
  ['a person has paused it', { wanted: 'paused', status: 'paused', restarts: 3 }, 'LEAVE'],
] as const)('a component is down, and %s', (_, facts, action) => {
  expect(decideComponent({ component: 'agent-2', ...facts }, monitoring).action).toBe(action)
})

const waiter = (number: number, priority: number | null, minute: number | null) => ({
  name: `1/${number}`,
  number,
  priority,
  claimedAt: minute === null ? null : new Date(minute * MINUTE).toISOString(),
})

test.each([
  ['the least urgent', [waiter(1, 1, 3), waiter(2, 2, 1)], '1/2', '1/2 -> 1/1'],
  ['one without a priority', [waiter(1, null, 1), waiter(2, 9, 3)], '1/1', '1/1 -> 1/2'],
  ['the last that was begun', [waiter(1, 1, 1), waiter(2, 1, 2), waiter(3, 1, 1)], '1/2', '1/2 -> 1/3'],
  ['one that nobody has in hand', [waiter(1, 1, null), waiter(2, 1, 2)], '1/1', '1/1 -> 1/2'],
  ['the youngest', [waiter(1, 1, 1), waiter(2, 1, 1)], '1/2', '1/2 -> 1/1'],
])('of a circle %s goes back to the queue', (_, cycle, target, edge) => {
  expect(decideDeadlock(cycle)).toMatchObject({ action: 'BREAK', target, facts: { edge } })
})
