import { Config } from '@treadle/contracts/config'
import type { HealthAlert } from '@treadle/contracts/notification'
import { expect, test } from 'vitest'
import { decideAlerts, hasSlept } from './decide.ts'
import { type Finding, judgeQueue } from './judge.ts'
import { alertOf } from './words.ts'

const { monitoring } = Config.parse({})
const queue = (queued: number) => judgeQueue({ queued, works: true }, monitoring)
const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const kept = (id: number, type: HealthAlert, subject = 'queue', atMs = NOW - 1) => ({
  id,
  type,
  subject,
  updatedAt: new Date(atMs).toISOString(),
  acknowledgedBy: 'ada' as string | null,
})
const unresponsive: Finding = {
  check: 'responsiveness',
  subject: 'agent agent-1',
  agentId: 'agent-1',
  health: 'unresponsive',
  text: 'agent-1 has given no sign of life',
  alert: 'health.agent_unresponsive',
  details: ['Its last error: the key is hunter2'],
  over: [{ type: 'health.agent_degraded', subject: 'agent agent-1' }],
}

const HALF_HOUR_MS = 30 * 60_000
const down: Finding = {
  check: 'components',
  subject: 'agent agent-1',
  agentId: null,
  health: 'unresponsive',
  text: 'Component agent-1 not responding',
  alert: 'alert.component_down',
  details: [],
  over: [],
}

const NOTHING = { raise: [], reopen: [], resolve: [], again: [], lasting: [] }
const low = kept(1, 'health.queue_low')
const grave = kept(9, 'health.agent_unresponsive', 'agent agent-1')

test.each([
  ['all is well', { found: [queue(5)] }, NOTHING],
  ['it begins', { found: [queue(0)] }, { ...NOTHING, raise: [queue(0)] }],
  [
    'it lasts',
    { found: [queue(0)], standing: [low] },
    { ...NOTHING, lasting: [{ id: 1, finding: queue(0) }] },
  ],
  ['it is over', { found: [queue(5)], standing: [low] }, { ...NOTHING, resolve: [1] }],
  [
    'it came while the checks were made',
    { found: [queue(5)], standing: [kept(1, 'health.queue_low', 'queue', NOW + 1)] },
    NOTHING,
  ],
  ['it turns', { found: [queue(20)], standing: [low] }, { ...NOTHING, raise: [queue(20)], resolve: [1] }],
  ['nothing was found out', { found: [], standing: [low] }, NOTHING],
  [
    'it is back',
    { found: [queue(0)], ended: [kept(4, 'health.queue_low'), kept(2, 'health.queue_low')] },
    { ...NOTHING, reopen: [{ id: 4, finding: queue(0), unseen: false }] },
  ],
  [
    'it is back, and nobody had seen it',
    { found: [queue(0)], ended: [{ ...kept(4, 'health.queue_low'), acknowledgedBy: 'treadle' }] },
    { ...NOTHING, reopen: [{ id: 4, finding: queue(0), unseen: true }] },
  ],
  [
    'something grave is back',
    { found: [unresponsive], ended: [grave] },
    { ...NOTHING, reopen: [{ id: 9, finding: unresponsive, unseen: true }] },
  ],
  [
    'it got worse',
    { found: [unresponsive], standing: [kept(8, 'health.agent_degraded', 'agent agent-1')] },
    { ...NOTHING, raise: [unresponsive], resolve: [8] },
  ],
  [
    'an alert of the monitor lasts less than half an hour',
    { found: [down], standing: [kept(3, 'alert.component_down', 'agent agent-1', NOW - HALF_HOUR_MS + 1)] },
    { ...NOTHING, lasting: [{ id: 3, finding: down }] },
  ],
  [
    'an alert of the monitor lasts for half an hour: it is told once more',
    { found: [down], standing: [kept(3, 'alert.component_down', 'agent agent-1', NOW - HALF_HOUR_MS)] },
    { ...NOTHING, again: [{ id: 3, finding: down }] },
  ],
  [
    'another agent has the same',
    { found: [unresponsive], standing: [kept(7, 'health.agent_unresponsive', 'agent agent-2')] },
    { ...NOTHING, raise: [unresponsive] },
  ],
])('%s', (_, given, choice) => {
  expect(
    decideAlerts({ lookedAt: NOW, standing: [], ended: [], repeatAfterMs: HALF_HOUR_MS, ...given }),
  ).toEqual(choice)
})

test('the owner is told what to do, and no secret', () => {
  expect(alertOf(unresponsive, (text) => text.replace('hunter2', '[redacted]'))).toMatchObject({
    type: 'health.agent_unresponsive',
    level: 'error',
    subject: 'agent agent-1',
    text: 'Its last error: the key is [redacted]',
    nextSteps: [
      { label: 'Restart the agent', command: 'treadle agent restart agent-1' },
      { label: 'See how the crew is', command: 'treadle status' },
    ],
  })
  expect(alertOf(queue(5), (text) => text)).toBeNull()
})

test.each([
  [0, 60_000, false],
  [60_000, 60_000, false],
  [60_001, 60_000, true],
  [5_000, 300, false],
  [30_001, 300, true],
])('a check that is %i ms late, of one every %i ms: the machine was asleep: %s', (late, checkMs, slept) => {
  expect(hasSlept({ now: NOW + late, dueAt: NOW, checkMs })).toBe(slept)
})
