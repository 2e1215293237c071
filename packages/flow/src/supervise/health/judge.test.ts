// How things are, as tables: each threshold at its edge, and whom no rule is meant for.
import type { AgentStatus } from '@treadle/contracts/agent'
import { Config } from '@treadle/contracts/config'
import type { AlertLevel } from '@treadle/contracts/cost'
import { HealthAlert } from '@treadle/contracts/notification'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { THRESHOLDS } from '../spend/budget.ts'
import {
  type AgentHealthFacts,
  judgeCrew,
  judgeData,
  judgeErrors,
  judgeLoop,
  judgeMoney,
  judgeQueue,
  judgeResponse,
  judgeStuck,
  LEVELS,
} from './judge.ts'

const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const { limits, monitoring } = Config.parse({})
const SECOND = 1_000
const MINUTE = 60 * SECOND
const at = (agoMs: number) => new Date(NOW - agoMs)

function agent(given: Partial<AgentHealthFacts> = {}): AgentHealthFacts {
  return {
    id: 'agent-1',
    status: 'working',
    wanted: 'running',
    phase: 'build',
    item: { projectNumber: 1, number: 7 },
    lastHeartbeatAt: at(0).toISOString(),
    startedAt: at(24 * 60 * MINUTE).toISOString(),
    lastError: null,
    waits: false,
    progressAt: at(0),
    errors: 0,
    crashes: 0,
    ...given,
  }
}

const silent = (ms: number, given: Partial<AgentHealthFacts> = {}) => {
  const { health, alert } = judgeResponse(
    agent({ lastHeartbeatAt: at(ms).toISOString(), ...given }),
    NOW,
    limits,
  )
  return [health, alert]
}

verifies('ORCH-5.2-2', 'a sign of life up to a minute old is healthy, up to two is degraded', () => {
  expect([0, 59_999].map((ms) => silent(ms))).toEqual(Array(2).fill(['healthy', null]))
  expect([60_000, 120_000].map((ms) => silent(ms))).toEqual(
    Array(2).fill(['degraded', 'health.agent_degraded']),
  )
  expect([120_001, 1e9].map((ms) => silent(ms))).toEqual(
    Array(2).fill(['unresponsive', 'health.agent_unresponsive']),
  )
})

test.each<[string, Partial<AgentHealthFacts>, string]>([
  ['is paused', { wanted: 'paused', status: 'paused' }, 'healthy'],
  ['is stopped', { wanted: 'stopped', status: 'stopped' }, 'healthy'],
  ['has just been started', { startedAt: at(5 * SECOND).toISOString() }, 'healthy'],
  [
    'has just been started for the first time',
    { startedAt: at(0).toISOString(), lastHeartbeatAt: null },
    'healthy',
  ],
  ['was given up', { status: 'failed', lastHeartbeatAt: at(0).toISOString() }, 'unresponsive'],
  ['crashed a moment ago', { status: 'crashed', lastHeartbeatAt: at(SECOND).toISOString() }, 'healthy'],
  ['crashed and stays down', { status: 'crashed' }, 'unresponsive'],
])('an agent that %s', (_, given, health) => {
  expect(silent(1e9, given)[0]).toBe(health)
})

verifies('ORCH-5.2-3', 'fewer than 3 errors an hour are healthy, 3 to 10 degraded, more critical', () => {
  const judged = (errors: number) => {
    const { health, alert } = judgeErrors(agent({ errors }), monitoring)
    return [health, alert]
  }
  expect([0, 2].map(judged)).toEqual(Array(2).fill(['healthy', null]))
  expect([3, 10].map(judged)).toEqual(Array(2).fill(['degraded', 'health.errors_rising']))
  expect([11, 500].map(judged)).toEqual(Array(2).fill(['critical', 'health.error_rate']))
  const { text, details } = judgeErrors(
    agent({ errors: 12, crashes: 4, lastError: 'no space left' }),
    monitoring,
  )
  expect([text, ...details]).toEqual([
    'agent-1 had 12 errors within the last hour',
    '4 of them crashes.',
    'Its last error: no space left',
  ])
})

verifies('ORCH-5.2-4', 'a queue of 3 to 10 is healthy, of fewer low, of more high', () => {
  const judged = (queued: number, works = true) => {
    const { health, alert } = judgeQueue({ queued, works }, monitoring)
    return [health, alert]
  }
  expect([3, 10].map((queued) => judged(queued))).toEqual(Array(2).fill(['healthy', null]))
  expect([0, 2].map((queued) => judged(queued))).toEqual(Array(2).fill(['low', 'health.queue_low']))
  expect(judged(11)).toEqual(['high', 'health.queue_high'])
  // At the edge what was told stays, and a step further it is over.
  const over = (queued: number) =>
    judgeQueue({ queued, works: true }, monitoring).over.map(({ type }) => type)
  expect([3, 4, 9, 10].map(over)).toEqual([
    ['health.queue_high'],
    ['health.queue_low', 'health.queue_high'],
    ['health.queue_low', 'health.queue_high'],
    ['health.queue_low'],
  ])
  // Nobody is there who could be short of work.
  expect(judged(0, false)).toEqual(['low', null])
})

const spent = (percent: number, given = {}) =>
  judgeMoney(
    {
      period: 'daily',
      startsAt: at(0),
      endsAt: at(0),
      spent: percent * 1_000,
      limit: 100_000,
      refused: false,
      ...given,
    },
    monitoring,
  )

verifies('ORCH-5.2-5', 'more than half of a budget left is healthy, a quarter to a half warns', () => {
  expect([0, 49, 50, 75, 76, 100].map((percent) => spent(percent).health)).toEqual([
    'healthy',
    'healthy',
    'warning',
    'warning',
    'critical',
    'critical',
  ])
})

test('what a threshold told is over when it is not reached any more', () => {
  const over = (percent: number, given = {}) =>
    spent(percent, given).over.flatMap(({ type, subject }) => (type === 'budget.crossed' ? [subject] : []))
  expect(over(0)).toEqual(['budget daily 50', 'budget daily 75', 'budget daily 90', 'budget daily 100'])
  expect(over(80)).toEqual(['budget daily 90', 'budget daily 100'])
  expect(over(80, { refused: true })).toEqual(['budget daily 90'])
  expect(over(150)).toEqual([])
})

test.each([
  [200, null],
  [200.1, 'health.budget_overrun'],
])('%s percent of a budget spent: %s', (percent, alert) => {
  expect(spent(percent).alert).toBe(alert)
})

const still = (ms: number, given: Partial<AgentHealthFacts> = {}) =>
  judgeStuck(agent({ progressAt: at(ms), ...given }), NOW, monitoring).alert

verifies(
  ['ORCH-5.2-6', 'ORCH-4.5-9'],
  'an agent that lives and makes no progress for more than 30 minutes is stuck',
  () => {
    expect([still(0), still(30 * MINUTE)]).toEqual([null, null])
    expect(still(30 * MINUTE + 1)).toBe('health.agent_stuck')
    const working: AgentStatus[] = ['working', 'reviewing', 'ideating']
    expect(working.map((status) => still(31 * MINUTE, { status }))).toEqual(
      Array(3).fill('health.agent_stuck'),
    )
  },
)

test.each<[string, Partial<AgentHealthFacts>]>([
  ['is idle', { status: 'idle' }],
  ['is paused', { wanted: 'paused', status: 'paused' }],
  ['is stopped', { wanted: 'stopped', status: 'stopped' }],
  ['waits for an answer', { waits: true }],
  ['has just been started again', { startedAt: at(MINUTE).toISOString() }],
  ['never did anything', { progressAt: null, startedAt: null }],
])('who %s is not stuck', (_, given) => {
  expect(still(600 * MINUTE, given)).toBeNull()
})

test('of a stuck agent it is said what it was doing', () => {
  const { text, details } = judgeStuck(agent({ progressAt: at(31 * MINUTE) }), NOW, monitoring)
  expect(text).toBe('agent-1 is stuck: it is working and makes no progress')
  expect(details.join(' ')).toContain('agent-1 is working on #7, build')
  expect(details.join(' ')).toContain(at(31 * MINUTE).toISOString())
})

const down = (given: Partial<AgentHealthFacts> = {}) =>
  agent({ status: 'crashed', crashes: 1, lastHeartbeatAt: at(11 * SECOND).toISOString(), ...given })

test.each<[string, AgentHealthFacts[], HealthAlert | null]>([
  ['nobody is to run', [agent({ wanted: 'stopped', status: 'stopped' })], null],
  ['all are down', [down(), down({ id: 'agent-2' })], 'health.all_crashed'],
  ['the only one was given up', [agent({ status: 'failed' })], 'health.all_crashed'],
  ['one is being started again', [down({ lastHeartbeatAt: at(SECOND).toISOString() })], null],
  ['one of two is down', [down(), agent({ id: 'agent-2' })], null],
  ['those down are to be', [down({ wanted: 'stopped' }), agent({ id: 'agent-2' })], null],
  ['one of two crashed often', [agent({ crashes: 9 }), agent({ id: 'agent-2' })], null],
  ['two of three crashed', [agent({ crashes: 2 }), agent({ crashes: 1 }), agent()], 'health.crash_rate'],
  ['the only one crashed twice', [agent({ crashes: 2 })], null],
])('the crew when %s: %s', (_, agents, alert) => {
  expect(judgeCrew(agents, NOW, monitoring).alert).toBe(alert)
})

const loop = {
  queued: 2,
  held: 1,
  movedAt: at(61 * MINUTE),
  startedAt: at(120 * MINUTE),
  holds: ['the daily budget is nearly used up'],
  agents: [agent()],
}

verifies('ORCH-4.5-8', 'work waits and nothing moves for an hour: a diagnosis is made and told', () => {
  const { alert, text, details } = judgeLoop(loop, NOW, monitoring)
  expect([alert, text]).toEqual(['health.loop_stalled', 'Nothing moves any more, and work waits'])
  expect(details.join('\n')).toContain(`since ${at(61 * MINUTE).toISOString()}`)
  expect(details.join('\n')).toContain('2 items can be claimed, 1 are in hand.')
  expect(details.join('\n')).toContain('the daily budget is nearly used up')
  expect(details.join('\n')).toContain('agent-1 is working on #7, build')
  expect(judgeLoop({ ...loop, movedAt: at(60 * MINUTE) }, NOW, monitoring).alert).toBeNull()
})

test.each([
  ['nothing to do', { queued: 0, held: 0 }],
  ['nobody who is to work', { agents: [agent({ wanted: 'paused' })] }],
  ['nobody who does not wait for an answer', { agents: [agent({ waits: true })] }],
  ['a daemon that has just begun', { startedAt: at(MINUTE) }],
])('the loop does not stall with %s', (_, given) => {
  expect(judgeLoop({ ...loop, ...given }, NOW, monitoring).alert).toBeNull()
})

test('what cannot be read is named', () => {
  expect(judgeData([]).alert).toBeNull()
  expect(judgeData(['the session file of agent-1 cannot be read'])).toMatchObject({
    alert: 'health.data_damaged',
    health: 'critical',
    text: 'What is kept is damaged: the session file of agent-1 cannot be read',
  })
})

const ofLevel = (level: AlertLevel) => [
  ...HealthAlert.options.filter((type) => LEVELS[type] === level),
  ...THRESHOLDS.filter((threshold) => threshold.level === level).map(({ percent }) => percent),
]

verifies('ORCH-5.2-7', 'info: the queue is low, half of a budget is spent', () => {
  expect(ofLevel('info')).toEqual(['health.queue_low', 50])
})
verifies('ORCH-5.2-8', 'warning: an agent is degraded, the queue is high, 75% of a budget is spent', () => {
  expect(ofLevel('warning')).toEqual([
    'health.agent_degraded',
    'health.errors_rising',
    'health.queue_high',
    'health.git_changed',
    'alert.stuck_task',
    75,
  ])
})
verifies('ORCH-5.2-9', 'error: an agent is unresponsive or errs too often, 90% of a budget is spent', () => {
  expect(ofLevel('error')).toEqual([
    'health.agent_unresponsive',
    'health.error_rate',
    'health.loop_stalled',
    'alert.component_down',
    'alert.build_failed',
    90,
  ])
})
verifies('ORCH-5.2-10', 'critical: an agent is stuck, all have crashed, a budget is used up', () => {
  const critical = ofLevel('critical')
  expect(critical).toEqual(expect.arrayContaining(['health.agent_stuck', 'health.all_crashed', 100]))
})
