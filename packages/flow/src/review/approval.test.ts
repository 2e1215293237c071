import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { decideReview } from './decide.ts'

const skipped = { is: 'skipped', gate: 'linter_pass', why: 'no linter' } as const
const unread = {
  criteria: { is: 'none' },
  reviewer: { is: 'none', why: 'not set' },
  evidence: { level: 'proven', why: 'red is green' },
  needs: 'proven',
  repeats: null,
  asked: [],
} as const
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

test.each([
  ['proven', 'proven', 'approve'],
  ['supported', 'proven', 'wait'],
  ['unproven', 'proven', 'wait'],
  ['proven', 'supported', 'approve'],
  ['supported', 'supported', 'approve'],
  ['unproven', 'supported', 'wait'],
] as const)('what is %s, where merges need %s: %s', (level, needs, is) => {
  const evidence = { level, why: 'no test was red' }
  const facts = { ...unread, confidence: null, gates: [green()], evidence, needs } as const
  const order = decideReview({ ...facts, approval: 'checks' })
  expect(order.is).toBe(is)
  if (order.is === 'wait') expect(order).toMatchObject({ why: `it is ${level}: no test was red` })
  const criteria = {
    is: 'found',
    criteria: [{ id: 'C1', description: 'Is fast', status: 'met', note: 'check' }],
  } as const
  expect(decideReview({ ...facts, approval: 'reviewer', criteria }).is).toBe(is)
  expect(decideReview({ ...facts, approval: 'human' })).toEqual({ is: 'wait', for: 'person', why: null })
})
