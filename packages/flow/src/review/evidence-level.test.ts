import type { GateResult } from '@treadle/contracts/gate'
import type { MeasureFound } from '@treadle/contracts/measure'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { judgeEvidence } from './evidence-level.ts'

type Green = Extract<GateResult, { is: 'passed' }>

const skipped = (gate: GateResult['gate'], why: string): GateResult => ({ is: 'skipped', gate, why })
const noWitness = skipped('witness', 'no test fails without this change')

function mutation(
  noticed: number,
  planted: number,
  { enough = true, ran = true, untaken = 0 } = {},
): GateResult {
  const { evidence } = green('mutation') as Green
  const measured = {
    gate: 'mutation',
    evidence: { ...evidence, strength: { noticed, planted, ran, ...(untaken > 0 ? { untaken } : {}) } },
  } as const
  return enough
    ? { is: 'passed', ...measured }
    : { is: 'passed_with_warnings', ...measured, warnings: ['too few'] }
}

function measured(is: 'improved' | 'not_improved', brought?: string[]): GateResult {
  const { evidence } = green('witness') as Green
  const measure = { is, before: 412, after: is === 'improved' ? 380 : 412, better: 'lower' } as const
  const more = brought === undefined ? {} : { brought }
  const found = {
    gate: 'witness',
    evidence: { ...evidence, measure: { ...measure, ...more } as MeasureFound },
  } as const
  return is === 'improved'
    ? { is: 'passed', ...found }
    : { is: 'passed_with_warnings', ...found, warnings: ['it did not improve'] }
}

test.each<[string, readonly GateResult[], string, RegExp]>([
  ['red is green, faults noticed', [green(), green('witness'), mutation(9, 10)], 'proven', /9 of 10/],
  [
    'red is green, no fault can be planted',
    [green(), green('witness'), skipped('mutation', 'no line of code was changed')],
    'proven',
    /strength not measured: no line of code was changed/,
  ],
  ['red is green, nobody measured', [green(), green('witness')], 'proven', /strength not measured/],
  [
    'red is green, few faults noticed',
    [green(), green('witness'), mutation(2, 10, { enough: false })],
    'supported',
    /only 2 of 10/,
  ],
  [
    'red is green, and a new branch is taken by no test',
    [green(), green('witness'), mutation(9, 10, { enough: false, untaken: 1 })],
    'supported',
    /but no test takes one branch of the changed lines; 9 of 10/,
  ],
  ['nothing was red, lines are run', [green(), noWitness, mutation(9, 10)], 'supported', /no test fails/],
  [
    'nothing was red, no line is run',
    [green(), noWitness, mutation(0, 10, { enough: false, ran: false })],
    'unproven',
    /nothing shows that a test runs the changed lines; no test fails/,
  ],
  ['nothing was red, nobody measured', [green(), noWitness], 'unproven', /nothing shows/],
  ['no tests', [skipped('tests_pass', 'no tests'), green('witness')], 'unproven', /^no tests$/],
  [
    'tests that did not run',
    [{ is: 'not_run', gate: 'tests_pass', why: 'the command ran no tests' }],
    'unproven',
    /did not run: the command ran no tests/,
  ],
  [
    'a measure that improved',
    [green(), measured('improved'), mutation(9, 10)],
    'proven',
    /^the measure was 412 before and 380 after \(lower is better\); 9 of 10/,
  ],
  [
    'a measure that improved, and what got worse for it',
    [green(), measured('improved', ['empty-catch:a.js', 'empty-catch:b.js']), mutation(9, 10)],
    'supported',
    /, but the change brought 2 new findings: empty-catch:a\.js; empty-catch:b\.js$/,
  ],
  [
    'a measure that improved, with a red suite',
    [green(), red('no_regression'), measured('improved')],
    'unproven',
    /tests fail/,
  ],
  [
    'a measure that improved, without tests',
    [skipped('tests_pass', 'no tests: no command'), measured('improved')],
    'unproven',
    /^no tests: no command; the measure was 412 before and 380 after/,
  ],
  [
    'a measure that did not improve, beside a test that was red',
    [green(), measured('not_improved'), mutation(9, 10)],
    'supported',
    /is green with it, but the measure did not improve: it was 412 before and 412 after/,
  ],
  [
    'a measure that did not improve, and no other witness',
    [green(), skipped('witness', 'the measure did not improve: it was 1'), mutation(9, 10)],
    'supported',
    /the measure did not improve: it was 1$/,
  ],
  ['a red suite', [green(), red('no_regression'), green('witness')], 'unproven', /tests fail/],
  ['only other checks', [green('secrets')], 'unproven', /no test has run/],
  ['nothing at all', [], 'unproven', /no test has run/],
])('%s', (_, checks, level, why) => {
  expect(judgeEvidence(checks)).toEqual({ level, why: expect.stringMatching(why) })
})

test('a revert is proven by the tests from before and one that is red without the merge', () => {
  const { evidence } = green('witness') as Green
  const witness: GateResult = {
    is: 'passed',
    gate: 'witness',
    evidence: { ...evidence, tookBack: { number: 12 } },
  }
  const strength = skipped('mutation', 'no line of code was added or changed')
  expect(judgeEvidence([green('tests_pass'), witness, strength])).toEqual({
    level: 'proven',
    why: 'the tests from before #12 hold, and a test that came with it is red without it; strength not measured: no line of code was added or changed',
  })
})

test('where the clock ended the search for another patch, the change is not proven', () => {
  const { evidence } = green('other_inputs') as Green
  const inputs = (more: object): GateResult => ({
    is: 'passed_with_warnings',
    gate: 'other_inputs',
    evidence: { ...evidence, ...more },
    warnings: ['the clock ended the search'],
  })
  const rest = [green('tests_pass'), green('witness'), mutation(9, 10)]
  expect(judgeEvidence([...rest, inputs({})])).toMatchObject({ level: 'proven' })
  expect(judgeEvidence([...rest, inputs({ searchCut: true })])).toEqual({
    level: 'supported',
    why: expect.stringMatching(/, but the search for another patch ended by the clock$/),
  })
})
