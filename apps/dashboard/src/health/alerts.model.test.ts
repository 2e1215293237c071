import type { Agent } from '@treadle/contracts/agent'
import { Config } from '@treadle/contracts/config'
import type { AlertLevel } from '@treadle/contracts/cost'
import type { Notification } from '@treadle/contracts/notification'
import { expect, test } from 'vitest'
import {
  alertOutcome,
  alertsIn,
  alertTarget,
  cooldownLine,
  isToast,
  noisy,
  orderAlerts,
  thresholdsOf,
  toRestart,
} from './alerts.model.ts'

const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const at = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

test('an engine whose provider is in trouble says when it tries again', () => {
  const resting = { engine: 'native', why: 'it answers 529', until: at(-2) }
  expect(cooldownLine({ ...resting, triesOne: true }, NOW)).toBe(
    'The engine native is resting for another 2 min 0 s, then tries one: it answers 529',
  )
  expect(cooldownLine(resting, NOW)).not.toContain('tries one')
})

function alert(id: number, given: Partial<Notification> = {}): Notification {
  return {
    id,
    type: 'health.agent_unresponsive',
    level: 'error',
    title: `alert ${id}`,
    text: '',
    nextSteps: [],
    subject: 'agent agent-1',
    blocking: false,
    item: null,
    questionId: null,
    count: 1,
    createdAt: at(9),
    updatedAt: at(5),
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    source: null,
    context: null,
    decision: null,
    deliveries: [],
    ...given,
  }
}
const levels = (...given: AlertLevel[]) => given.map((level, id) => alert(id, { level }))

test('the gravest alert comes first', () => {
  const found = orderAlerts(levels('info', 'warning', 'critical', 'error'))
  expect(found.map(({ id }) => id)).toEqual([2, 3, 1, 0])
})

const crew = [{ id: 'agent-1', wanted: 'running' } as Agent]
test.each<[Partial<Notification>, string | null]>([
  [{}, 'agent-1'],
  [{ type: 'health.agent_stuck' }, 'agent-1'],
  [{ type: 'health.error_rate' }, 'agent-1'],
  [{ type: 'health.agent_degraded' }, null],
  [{ type: 'agent.crashed' }, null],
  [{ subject: 'agent agent-2' }, null],
  [{ subject: 'agent <script>' }, null],
  [{ resolvedAt: at(0) }, null],
])('for %j it would help to restart %s', (given, id) => {
  expect(toRestart(alert(1, given), crew)?.id ?? null).toBe(id)
})

test('who was stopped on purpose is not restarted', () => {
  expect(toRestart(alert(1), [{ id: 'agent-1', wanted: 'stopped' } as Agent])).toBeNull()
})

test.each<[Partial<Notification>, string]>([
  [{}, 'activity'],
  [{ type: 'health.queue_low', subject: 'queue' }, 'work'],
  [{ type: 'budget.crossed', subject: 'budget daily 50' }, 'costs'],
  [{ type: 'health.loop_stalled', subject: 'loop' }, 'health'],
  [{ type: 'question.asked', subject: 'question 1' }, 'review'],
  [{ type: 'review.waiting', item: { projectNumber: 1, number: 4 } }, 'review'],
  [{ type: 'item.escalated', item: { projectNumber: 1, number: 4 } }, 'item'],
])('%j is looked at on the screen %s', (given, is) => {
  expect(alertTarget(alert(1, given)).route.is).toBe(is)
})

test.each<[Partial<Notification>, string]>([
  [{}, 'ongoing for 5 min 0 s'],
  [{ acknowledgedAt: at(1), acknowledgedBy: 'ada' }, 'lasts, seen by ada'],
  [{ resolvedAt: at(2), acknowledgedAt: at(2), acknowledgedBy: 'treadle' }, 'over after 3 min 0 s'],
  [{ resolvedAt: at(2), acknowledgedAt: at(4), acknowledgedBy: 'ada' }, 'over after 3 min 0 s, seen by ada'],
  [{ type: 'agent.crashed' }, 'not seen yet'],
  [{ type: 'agent.crashed', acknowledgedAt: at(1), acknowledgedBy: 'ada' }, 'seen by ada'],
])('of %j it is said: %s', (given, words) => {
  expect(alertOutcome(alert(1, given), NOW)).toBe(words)
})

test('the editor shows warnings and worse, and what needs a decision', () => {
  const all: AlertLevel[] = ['info', 'warning', 'error', 'critical']
  expect(all.filter((level) => isToast(alert(1, { level })))).toEqual(['warning', 'error', 'critical'])
  expect(isToast(alert(1, { level: 'info', type: 'review.waiting' }))).toBe(true)
  expect(isToast(alert(1, { level: 'info', type: 'budget.crossed' }))).toBe(true)
  expect(isToast(alert(1, { level: 'info', type: 'question.asked' }))).toBe(false)
})

test('the banner has what is about the crew and the system; items have their own places', () => {
  const told = [alert(1), alert(2, { type: 'item.escalated' }), alert(3, { type: 'budget.crossed' })]
  expect(alertsIn(told).map(({ id }) => id)).toEqual([1, 3])
})

test('each threshold is shown as it is set', () => {
  const words = thresholdsOf(Config.parse({ monitoring: { stuckMs: 60_000 } })).map((each) => each.words)
  expect(words).toContain('stuck after 1 min 0 s')
  expect(words).toContain('degraded after 1 min 0 s, unresponsive after 2 min 0 s')
})

test('a threshold that mostly tells what goes away by itself is named', () => {
  const type = 'health.agent_degraded'
  expect(noisy([{ type, raised: 3, brief: 3 }])).toEqual([])
  expect(noisy([{ type, raised: 4, brief: 2 }])).toEqual([])
  expect(noisy([{ type, raised: 4, brief: 3 }])).toEqual([
    expect.stringContaining('3 of 4 alerts “agent degraded”'),
  ])
})
