import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { decideReview } from './decide.ts'

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
