// Which phase is rolled back by itself, and when.
import { expect, test } from 'vitest'
import { dueRollback, type RollbackFacts } from './due-rollback.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const alert = (type: RollbackFacts['standing'][number]['type'], minutes: number) => ({
  type,
  title: 'It is bad',
  updatedAt: ago(minutes).toISOString(),
})
const facts = (more: Partial<RollbackFacts>): RollbackFacts => ({
  now: NOW,
  settings: { rollback: 'auto', rollbackMs: 30 * 60_000 },
  flags: {},
  standing: [],
  lastAt: null,
  ...more,
})

test.each<[string, Partial<RollbackFacts>, number | null]>([
  ['nothing is amiss', {}, null],
  ['the budget is overrun for 29 minutes', { standing: [alert('health.budget_overrun', 29)] }, null],
  ['the budget is overrun for 30 minutes', { standing: [alert('health.budget_overrun', 30)] }, 2],
  [
    'the same while the crew looks for work itself',
    { standing: [alert('health.budget_overrun', 30)], flags: { enable_ideation: true } },
    4,
  ],
  ['agents crash', { standing: [alert('health.crash_rate', 31)], flags: { enable_ideation: true } }, 2],
  ['what is kept is damaged', { standing: [alert('health.data_damaged', 31)] }, 2],
  [
    'there is one agent already',
    { standing: [alert('health.crash_rate', 31)], flags: { enable_multi_agent: false } },
    null,
  ],
  ['another alert stands', { standing: [alert('health.loop_stalled', 600)] }, null],
  ['it was done since', { standing: [alert('health.crash_rate', 60)], lastAt: ago(20) }, null],
  ['it was done before', { standing: [alert('health.crash_rate', 60)], lastAt: ago(80) }, 2],
  [
    'the owner does it',
    { standing: [alert('health.crash_rate', 60)], settings: { rollback: 'never', rollbackMs: 1 } },
    null,
  ],
])('%s', (_, given, phase) => {
  expect(dueRollback(facts(given))?.phase ?? null).toBe(phase)
})
