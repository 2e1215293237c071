import type { GateResult } from '@treadle/contracts/gate'
import { type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { evidence, failure, passed } from '@treadle/contracts/words/samples'
import { expect, test } from 'vitest'
import { attemptsOf, costOf, gateLine, toneOfAttempt } from './item.model.ts'

const record = (phase: PhaseRecord['phase'], iteration: number, given: Partial<PhaseRecord> = {}) =>
  phaseRecord({
    phase,
    iteration,
    startedAt: '2026-11-15T12:00:00.000Z',
    durationMs: 1_000,
    outcome: 'done',
    ...given,
  })
const group = { id: 'g', signature: 's', cause: 'c', tests: ['t'] }

test('records of one iteration are one attempt, whatever their order', () => {
  const history = [
    record('improve', 1),
    record('build', 0),
    record('test', 0, { outcome: 'failed', groups: [group] }),
    record('test', 1, { outcome: 'passed' }),
    record('commit', 1),
  ]
  const attempts = attemptsOf({ history })
  expect(attempts.map(({ number }) => number)).toEqual([1, 2])
  expect(attempts.map(({ work }) => work?.phase)).toEqual(['build', 'improve'])
  expect(attempts.map(toneOfAttempt)).toEqual(['bad', 'good'])
  expect(attempts[1]?.others.map(({ phase }) => phase)).toEqual(['commit'])
})

test('an attempt that is not tested yet is neither good nor bad', () => {
  expect(attemptsOf({ history: [record('build', 0)] }).map(toneOfAttempt)).toEqual(['busy'])
  expect(attemptsOf({ history: [] })).toEqual([])
})

test('a cost is the sum of what is known, and nothing where nothing is', () => {
  const usage = { model: 'm', inputTokens: 1, outputTokens: 1 }
  expect(
    costOf({
      usage: [
        { ...usage, usd: 0.25 },
        { ...usage, usd: null },
        { ...usage, usd: 0.5 },
      ],
    }),
  ).toBe(0.75)
  expect(costOf({ usage: [{ ...usage, usd: null }] })).toBeNull()
})

test.each([
  [passed, { tone: 'good', words: 'passed, 5 of 5' }],
  [
    { is: 'failed', gate: 'tests_pass', evidence, failures: [failure] },
    { tone: 'bad', words: 'failed', details: ['a: no'] },
  ],
  [
    { is: 'skipped', gate: 'secrets', why: 'off' },
    { tone: 'plain', output: null, details: ['off'] },
  ],
] satisfies [GateResult, object][])('a gate is told with its evidence', (gate, line) => {
  expect(gateLine(gate)).toMatchObject(line)
})
