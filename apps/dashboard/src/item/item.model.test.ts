import type { GateResult } from '@treadle/contracts/gate'
import { blankItem } from '@treadle/contracts/item'
import { type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { evidence, failure, passed } from '@treadle/contracts/words/samples'
import { expect, test } from 'vitest'
import { criterionOf, gateLine } from '../parts/gate-line.model.ts'
import {
  askedFacts,
  attemptsOf,
  costOf,
  explainedText,
  isToldBy,
  phaseStrip,
  runWords,
  saidParts,
  standingOfAttempt,
  stepsToTake,
  unjudgedWords,
} from './item.model.ts'

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
  expect(attempts.map((each) => standingOfAttempt(each, true).tone)).toEqual(['bad', 'good'])
  expect(attempts[1]?.others.map(({ phase }) => phase)).toEqual(['commit'])
})

test.each([
  ['done', false, 'busy', 'not tested yet'],
  ['done', true, 'plain', 'not tested'],
  ['max_turns', true, 'bad', 'max turns'],
])('an attempt that ended %s, in a run that is over: %s', (outcome, over, tone, words) => {
  const [attempt] = attemptsOf({ history: [record('build', 0, { outcome })] })
  if (attempt === undefined) throw new Error('there is an attempt')
  expect(standingOfAttempt(attempt, over)).toEqual({ tone, words })
})

test('a run without a record has no attempt', () => {
  expect(attemptsOf({ history: [] })).toEqual([])
})

test('a run is drawn to scale, and what was short can still be seen', () => {
  const pieces = phaseStrip([
    record('build', 0, { durationMs: 9_000 }),
    record('test', 0, { durationMs: 10, outcome: 'failed' }),
    record('escalation', 0, { durationMs: 990, outcome: 'escalated' }),
  ])
  expect(pieces.map(({ phase, tone }) => [phase, tone])).toEqual([
    ['build', 'busy'],
    ['test', 'bad'],
    ['escalation', 'attention'],
  ])
  expect(pieces.map(({ share }) => share)).toEqual([0.9, 0.08, 0.099])
  expect(pieces[1]?.words).toBe('test of attempt 1: failed after 10 ms')
})

test.each([
  ['met', true, 'met'],
  ['not_met', false, 'not met'],
  ['pending', false, 'not judged yet'],
  ['pending', true, 'not judged'],
] as const)('a criterion that is %s, over: %s', (status, over, words) => {
  expect(criterionOf(status, over).words).toBe(words)
})

test.each([
  ['done', 'standing_order', 'merged automatically'],
  ['done', 'human', 'ada approved'],
  ['in_review', 'human', null],
] as const)('why nobody has judged the criteria of an item that is %s, by %s', (state, kind, words) => {
  const at = '2026-11-15T12:00:00.000Z'
  const acceptance = [{ id: null, text: 'x', status: 'pending' as const }]
  const approval = { kind, by: 'ada', at }
  const said = unjudgedWords(blankItem({ number: 1, title: 'x', createdAt: at, state, acceptance, approval }))
  expect(said === null ? null : said.includes(words ?? '')).toBe(words === null ? null : true)
})

test('an explanation does without hashes of what can be opened beside it', () => {
  const hash = 'a'.repeat(64)
  const text = `- cause: novel\n  What it was told is evidence ${hash}.\n\nThe whole diff is evidence ${hash}.\n\n## Then\n`
  expect(explainedText(text)).toBe('- cause: novel\n\n## Then\n')
})

test('how it is to be done is told beside what is asked', () => {
  const item = blankItem({ number: 1, title: 'x', createdAt: '2026-11-15T12:00:00.000Z' })
  expect(askedFacts(item)).toEqual([])
  expect(
    askedFacts({ ...item, priority: 2, testCommand: 'npm t', mayChangeTests: true, labels: ['goal'] }),
  ).toEqual(['priority 2', 'test command: npm t', 'may change tests', 'label goal'])
  expect(askedFacts({ ...item, measure: { command: 'du -k dist', better: 'lower' } })).toEqual([
    'measured by: du -k dist (lower is better)',
  ])
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

test('steps that the page has buttons for are no commands; what wants a terminal is one to be copied', () => {
  const steps = [
    'See it fail: npm test -- cart: all',
    'Look into: a sum that is wrong',
    'Have an attempt explained: treadle explain x 1',
    'Say more about what is wanted and try again: treadle reopen 6',
  ]
  expect(stepsToTake(steps)).toEqual([{ words: 'See it fail', command: 'npm test -- cart: all' }])
})

test('code that an engine marks is told apart from its words, and nothing of either is lost', () => {
  expect(saidParts('One patch.\n\n```diff\n-a\n+b\n```\n\nNot <b>proven</b>.')).toEqual([
    { is: 'words', text: 'One patch.' },
    { is: 'code', text: '-a\n+b' },
    { is: 'words', text: 'Not <b>proven</b>.' },
  ])
  expect(saidParts('no end\n```\nof it')).toEqual([{ is: 'words', text: 'no end\n```\nof it' }])
  expect(saidParts('')).toEqual([])
})

test('a change in the words of an engine is left out only where the diff shows the same lines', () => {
  const diff = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+two\n three\n'
  expect(isToldBy('--- a.ts\n+++ a.ts\n-one\n+two', diff)).toBe(true)
  expect(isToldBy('-one\n+another', diff)).toBe(false)
  expect(isToldBy('no change at all', diff)).toBe(false)
})

test.each([
  ['success', 'delivered'],
  ['escalation', 'needs you'],
  ['gave_up', 'gave up'],
  [null, 'at work'],
])('a run that ended as %s: %s', (outcome, words) => {
  expect(runWords({ outcome, endedAt: null })).toBe(words)
})
