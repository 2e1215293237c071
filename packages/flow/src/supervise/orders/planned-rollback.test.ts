// When the owner is asked whether the crew's own improvements should be rolled back.
import { expect, test } from 'vitest'
import { type PlannedRollbackFacts, plannedRollback } from './planned-rollback.ts'

const unknown = { now: null, before: null }
const report = (more: object = {}) =>
  ({
    satisfaction: null,
    valued: 0,
    quality: { tests: unknown, linting: unknown, coverage: unknown, security: unknown },
    completedPerAgentAndDay: unknown,
    ...more,
  }) as PlannedRollbackFacts['report']
const quality = (name: 'tests' | 'linting', before: number, now: number) =>
  report({ quality: { tests: unknown, linting: unknown, [name]: { before, now } } })

test.each<[string, Partial<PlannedRollbackFacts>, string | null]>([
  ['nothing is known', {}, null],
  [
    '59 percent of the points of three changes',
    { report: report({ satisfaction: 0.59, valued: 3 }) },
    'satisfaction',
  ],
  ['60 percent', { report: report({ satisfaction: 0.6, valued: 3 }) }, null],
  ['two changes say little', { report: report({ satisfaction: 0.1, valued: 2 }) }, null],
  ['tests that passed fell by 11 points', { report: quality('tests', 1, 0.89) }, 'quality'],
  ['by ten', { report: quality('tests', 1, 0.9) }, null],
  ['the linter fell', { report: quality('linting', 0.9, 0.5) }, 'quality'],
  [
    'less than two items a day for two weeks, and no more than before',
    { report: report({ completedPerAgentAndDay: { now: 1, before: 1.2 } }) },
    'targets',
  ],
  ['they become more', { report: report({ completedPerAgentAndDay: { now: 1.3, before: 1.2 } }) }, null],
  [
    'it has begun less than two weeks ago',
    { report: report({ completedPerAgentAndDay: { now: 1, before: 1.2 } }), isOld: false },
    null,
  ],
  ['it is off', { report: report({ satisfaction: 0, valued: 9 }), isOn: false }, null],
])('%s', (_, given, reason) => {
  const facts = { isOn: true, isOld: true, report: report(), ...given }
  expect(plannedRollback(facts)?.reason ?? null).toBe(reason)
})
