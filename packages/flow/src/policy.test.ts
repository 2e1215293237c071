// Pure policy as tables: facts in, choice out.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { decideLease } from './claim/lease.ts'
import { mergeMessage } from './merge/commit-message.ts'
import { decideNext } from './next.ts'
import { decideReview } from './review/decide.ts'
import { green, NOW, RUN, red, sampleItem } from './sample.ts'
import { decideProcess } from './supervise/recovery.ts'
import { decideTurn } from './turn/decide.ts'
import { decideVerify, judgeRegression, judgeShrunk } from './verify/decide.ts'

const item = { projectNumber: 1, number: 7 }
const other = { projectNumber: 1, number: 8 }

test.each([
  ['stopped', item, other, 'stop'],
  ['running', item, other, 'resume'],
  ['paused', item, other, 'wait'],
  ['paused', null, other, 'wait'],
  ['running', null, other, 'claim'],
  ['running', null, null, 'wait'],
] as const)('an agent that is wanted %s, holds %j and sees %j is told to %s', (wanted, held, first, is) => {
  expect(decideNext({ wanted, held, first, holds: [], pollMs: 5 }).is).toBe(is)
})

test('an agent of another daemon waits until somebody decides', () => {
  const facts = { orphaned: true, held: null, first: other, holds: [], pollMs: 5 }
  expect(decideNext({ ...facts, wanted: 'stopped' }).is).toBe('wait')
  expect(decideNext({ ...facts, wanted: 'running' }).is).toBe('claim')
})

test('while something holds up claims, work in hand goes on and nothing new is begun', () => {
  const facts = { wanted: 'running', first: other, holds: ['no money', 'no room'], pollMs: 5 } as const
  expect(decideNext({ ...facts, held: item })).toEqual({ is: 'resume', item })
  expect(decideNext({ ...facts, held: null })).toEqual({ is: 'wait', why: 'no money; no room', pollMs: 5 })
})

verifies('AC-2.1.d', 'a claim falls only when it is older than 8 h and its holder is not well', () => {
  const claimMs = 8 * 3_600_000
  const table = [
    [claimMs - 1, 'unresponsive', 'keep'],
    [claimMs, 'unresponsive', 'keep'],
    [claimMs + 1, 'unresponsive', 'release'],
    [claimMs + 1, 'degraded', 'release'],
    [claimMs + 1, null, 'release'],
    [claimMs + 1, 'healthy', 'keep'],
    [claimMs * 10, 'healthy', 'keep'],
  ] as const
  for (const [age, holder, is] of table) {
    expect([age, holder, decideLease({ now: 1e12, claimedAt: 1e12 - age, holder, claimMs }).is]).toEqual([
      age,
      holder,
      is,
    ])
  }
})

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

const skipped = { is: 'skipped', gate: 'linter_pass', why: 'no linter' } as const
const unread = { criteria: { is: 'none' }, reviewer: { is: 'none', why: 'not set' } } as const
const notRun = { is: 'not_run', gate: 'tests_pass', why: 'no command' } as const
test.each([
  ['checks', [green()], 'approve'],
  ['checks', [green(), skipped], 'approve'],
  ['checks', [green(), red('no_regression')], 'reject'],
  ['checks', [notRun], 'wait'],
  ['checks', [skipped], 'wait'],
  ['checks', [], 'wait'],
  ['human', [green()], 'wait'],
  ['reviewer', [green()], 'wait'],
  ['never', [green()], 'wait'],
] as const)('merge.approval %s, row %$', (approval, gates, is) => {
  expect(decideReview({ approval, confidence: null, gates, ...unread }).is).toBe(is)
})

test.each([
  ['high', 'approve'],
  ['low', 'wait'],
] as const)('a green change of %s confidence under the standing order: %s', (level, is) => {
  const facts = { approval: 'checks', confidence: { level, why: 'because' }, gates: [green()] } as const
  expect(decideReview({ ...facts, ...unread }).is).toBe(is)
})

test('the suite may fail only where it failed before the change', () => {
  const before = red('no_regression', ['a', 'b'])
  expect(judgeRegression(green(), before).is).toBe('passed')
  expect(judgeRegression(red('tests_pass', ['a']), before)).toMatchObject({
    is: 'passed_with_warnings',
    gate: 'no_regression',
  })
  expect(judgeRegression(red('tests_pass', ['a', 'c']), before)).toMatchObject({
    is: 'failed',
    failures: [{ id: 'c' }],
  })
  expect(judgeRegression(red('tests_pass', ['a']), null).is).toBe('failed')
  expect(judgeRegression(red('tests_pass', ['a']), green()).is).toBe('failed')
  expect(judgeRegression(notRun, before)).toMatchObject({ is: 'not_run', gate: 'no_regression' })
})

test('green counts only if as much was tested as before', () => {
  const ran = (total: number, warnings: string[] = []) => {
    const gate = green()
    if (gate.is !== 'passed' || gate.evidence.report === null) throw new Error('green has a report')
    return { ...gate, evidence: { ...gate.evidence, report: { ...gate.evidence.report, total, warnings } } }
  }
  const silent = ['a.test.js reported no tests; its exit code counts as one']
  expect(judgeShrunk(ran(3), ran(3)).is).toBe('passed')
  expect(judgeShrunk(ran(4), ran(3)).is).toBe('passed')
  expect(judgeShrunk(ran(2), ran(3))).toMatchObject({
    is: 'failed',
    failures: [{ message: 'only 2 tests ran where 3 ran before the change' }],
  })
  expect(judgeShrunk(ran(3, silent), ran(3)).is).toBe('failed')
  expect(judgeShrunk(ran(3, silent), ran(3, silent)).is).toBe('passed')
  expect(judgeShrunk(ran(1), null).is).toBe('passed')
  const known = red('no_regression', ['a'])
  const shrunk = judgeShrunk(known, red('no_regression', ['a', 'b']))
  expect(judgeRegression(shrunk, red('no_regression', ['a', 'b']))).toMatchObject({
    is: 'failed',
    failures: [{ id: 'test run' }],
  })
})

test('what cannot be compared is not excused', () => {
  const unreadable = red('tests_pass', ['the command failed'])
  if (unreadable.is !== 'failed') throw new Error('red is failed')
  const blind = { ...unreadable, evidence: { ...unreadable.evidence, report: null } }
  expect(judgeRegression(blind, blind).is).toBe('failed')
})

test.each([
  [[green()], 1, 'deliver'],
  [[green()], 0, 'fail'],
  [[green(), red('no_regression')], 1, 'fail'],
  [[notRun], 1, 'fail'],
] as const)('delivery needs green gates and a change, row %$', (gates, changedFiles, is) => {
  expect(decideVerify({ gates, changedFiles }).is).toBe(is)
})

test.each([
  ['done', 0, 'verify'],
  ['max_turns', 0, 'verify'],
  ['crashed', 0, 'again'],
  ['network', 2, 'again'],
  ['network', 3, 'fail'],
  ['auth', 0, 'suspend'],
  ['billing', 3, 'suspend'],
  ['invalid', 0, 'fail'],
  ['refused', 0, 'fail'],
  ['interrupted', 0, 'fail'],
] as const)('an engine that ends with %s after %i faults: %s', (outcome, faults, is) => {
  expect(decideTurn({ outcome, text: '', faults, faultsMax: 3 }).is).toBe(is)
})

test('commit messages say what, and carry the facts as trailers', () => {
  const long = sampleItem({
    title: `${'very '.repeat(30)}long\ntitle`,
    runId: RUN,
    approval: { kind: 'human', by: 'owner', at: NOW.toISOString() },
  })
  const [subject = '', ...rest] = mergeMessage(long, null).split('\n')
  expect(subject.length).toBeLessThanOrEqual(72)
  expect(rest.join('\n')).toContain('Item: 1/7\nApproved-by: human owner\n')
})
