import { Config } from '@treadle/contracts/config'
import { blankItem } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { isTask, judgeComponents, judgeDeadlocks, judgeTasks } from './monitor.ts'

const { monitoring } = Config.parse({})
const MINUTE = 60_000
const NOW = Date.parse('2026-11-16T12:00:00.000Z')
const item = (phase: string | null) => ({
  ...blankItem({ number: 4, title: 'A table', createdAt: new Date(NOW).toISOString() }),
  phase,
  fence: 3,
  claimedByAgentId: 'agent-1' as const,
})
const tasks = (phase: string | null, ms: number, waits = false) =>
  judgeTasks(
    { facts: [{ item: item(phase), since: new Date(NOW - ms), waits }], standing: [], now: NOW },
    monitoring,
  )

test.each([
  ['database', 5],
  ['tests', 15],
  ['api', 10],
  [null, 10],
])('a task of the phase %s is stuck after more than %i minutes', (phase, minutes) => {
  const alerts = (ms: number) => tasks(phase, ms).flatMap(({ alert }) => alert ?? [])
  expect(alerts(minutes * MINUTE - 1)).toEqual([])
  expect(alerts(minutes * MINUTE)).toEqual([])
  expect(alerts(minutes * MINUTE + 1)).toEqual(['alert.stuck_task'])
})

test('an alert about a task names its agent, the task and how long; whoever waits for an answer has none', () => {
  expect(tasks('database', 7 * MINUTE)).toMatchObject([
    {
      text: 'Task #4 stuck for 7 min',
      subject: 'item 1/4',
      fact: {
        source: 'agent-1',
        context: { task_id: '1/4', duration: 7 * MINUTE, phase: 'database', fence: 3 },
      },
    },
  ])
  expect(tasks('database', 700 * MINUTE, true)).toMatchObject([{ alert: null, text: '1 task is at work' }])
})

test('what was told and is not found any more is over', () => {
  const standing = ['item 1/4', 'item 1/9']
  const [well] = judgeTasks({ facts: [], standing, now: NOW }, monitoring)
  expect(well?.over).toEqual([
    { type: 'alert.stuck_task', subject: 'item 1/4' },
    { type: 'alert.stuck_task', subject: 'item 1/9' },
  ])
  const facts = [{ item: item('database'), since: new Date(NOW - 6 * MINUTE), waits: false }]
  const found = judgeTasks({ facts, standing, now: NOW }, monitoring)
  expect(found.flatMap(({ over }) => over)).toEqual([{ type: 'alert.stuck_task', subject: 'item 1/9' }])
})

test('only what was made of a task of a specification is a task', () => {
  expect(isTask({ specTask: null })).toBe(false)
  expect(isTask({ specTask: { spec: 'cart', revision: 1, id: 'T1' } as never })).toBe(true)
})

test.each([
  [5 * MINUTE, 0],
  [5 * MINUTE + 1, 1],
])('a component whose last sign of life is %i ms old: %i alerts', (age, count) => {
  const lastHeartbeat = new Date(NOW - age).toISOString()
  const facts = [{ component: 'agent-2' as const, lastHeartbeat, since: new Date(0) }]
  const found = judgeComponents({ facts, standing: [], now: NOW }, monitoring)
  expect(found.filter(({ alert }) => alert !== null)).toHaveLength(count)
  if (count > 0)
    expect(found[0]).toMatchObject({
      text: 'Component agent-2 not responding',
      fact: { source: 'monitor', context: { component: 'agent-2', last_heartbeat: lastHeartbeat } },
    })
})

test('one that has only just been started need not have said anything yet', () => {
  const facts = [{ component: 'agent-2' as const, lastHeartbeat: null, since: new Date(NOW - MINUTE) }]
  expect(judgeComponents({ facts, standing: [], now: NOW }, monitoring)).toMatchObject([{ alert: null }])
})

test('a circle is told with all that are in it', () => {
  expect(judgeDeadlocks({ facts: [['1/4', '1/5']], standing: [] })).toMatchObject([
    {
      text: 'Deadlock detected: 1/4 -> 1/5 -> 1/4',
      alert: 'alert.deadlock',
      fact: { source: 'monitor', context: { cycle: ['1/4', '1/5'] } },
    },
  ])
})
