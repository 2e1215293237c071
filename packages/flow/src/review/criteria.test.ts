import type { GateResult } from '@treadle/contracts/gate'
import { ReviewCriterion } from '@treadle/contracts/review'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { judgeByChecks, readCriteria } from './criteria.ts'
import { decideReview } from './decide.ts'

const none = { acceptance: [] }
function found(body: string): string[] {
  const read = readCriteria({ ...none, body })
  return read.is === 'found' ? read.criteria.map(({ id, description }) => `${id} ${description}`) : [read.is]
}

verifies(['AC-3.3.a', 'ORCH-3.3-1'], 'every entry of a checklist is a criterion, ticked or not', () => {
  const body = [
    '# Sum',
    '- [ ] Adds two numbers',
    '- [x] Refuses text',
    'Some words in between: AC is short for nothing.',
    '* [X] Handles *empty* lists',
    '  1. [ ] Is documented',
    '- a plain entry',
    '-[ ] no list',
  ].join('\n')
  expect(found(body)).toEqual([
    'C1 Adds two numbers',
    'C2 Refuses text',
    'C3 Handles *empty* lists',
    'C4 Is documented',
  ])
})

verifies(
  ['AC-3.3.b', 'ORCH-3.3-1'],
  'every AC-1.1.a is a criterion under its own id, the short form too',
  () => {
    const body = [
      '- AC-3.1.a: When it starts → a file is there',
      'AC-3.1.b: The file is small',
      '- [ ] AC-12.3.c: both forms at once',
      '**AC-1.a**: the short form',
      'as agreed, AC-4.4.d: in the middle of a line',
      'AC-3.1: not one',
      'AC-3.1.ab: nor this',
      'XAC-3.1.c: nor this',
    ].join('\r\n')
    expect(found(body)).toEqual([
      'AC-3.1.a When it starts → a file is there',
      'AC-3.1.b The file is small',
      'AC-12.3.c both forms at once',
      'AC-1.a the short form',
      'AC-4.4.d in the middle of a line',
    ])
  },
)

verifies('ORCH-3.3-2', 'a criterion is an id, a description and a status that is still open', () => {
  const read = readCriteria({ ...none, body: '- [x] AC-1.1.a: Is fast' })
  expect(read).toEqual({
    is: 'found',
    criteria: [{ id: 'AC-1.1.a', description: 'Is fast', status: 'pending', note: null }],
  })
  expect(ReviewCriterion.shape.status.options).toEqual(['pending', 'met', 'not_met'])
})

test('the list of the item comes first, and nothing twice', () => {
  const acceptance = [
    { id: null, text: 'Adds two numbers', status: 'pending' as const },
    { id: 'AC-9.9.z', text: 'Is fast', status: 'pending' as const },
  ]
  const body = '- [ ] adds  two numbers\n- [ ] AC-9.9.z: Is something else'
  const read = readCriteria({ acceptance, body })
  expect(read.is === 'found' && read.criteria.map(({ id }) => id)).toEqual(['C1', 'AC-9.9.z', 'AC-9.9.z-2'])
})

test.each([
  ['', ['none']],
  ['words only', ['none']],
  ['- [ ] ', ['none']],
  ['```\n- [ ] an example\nAC-1.1.a: another\n```\n- [ ] real', ['C1 real']],
  ['- [ ] first\n  goes on here\n\n  not here', ['C1 first goes on here']],
  ['- [ ] first\n- [ ] first', ['C1 first']],
])('%j gives %j', (body, criteria) => {
  expect(found(body)).toEqual(criteria)
})

test('the same text gives the same ids', () => {
  const body = '- [ ] a\n- [ ] AC-1.1.a: b\n- [ ] c'
  expect(found(body)).toEqual(found(body))
  expect(found(body)).toEqual(['C1 a', 'AC-1.1.a b', 'C3 c'])
})

verifies('ORCH-3.3-3', 'criteria that cannot be read are left to a person', () => {
  const body = Array.from({ length: 101 }, (_, at) => `- [ ] number ${at}`).join('\n')
  const criteria = readCriteria({ ...none, body })
  expect(criteria.is).toBe('unreadable')
  const reviewer = { is: 'engine', name: 'scripted' } as const
  const choice = decideReview({
    approval: 'reviewer',
    confidence: null,
    gates: [green()],
    evidence: { level: 'proven', why: 'red is green' },
    needs: 'proven',
    criteria,
    repeats: null,
    asked: [],
    reviewer,
  })
  expect(choice).toMatchObject({ is: 'wait', for: 'person', why: expect.stringContaining('101') })
})

const ranBy = (command: string): GateResult => {
  const check = green()
  return 'evidence' in check ? { ...check, evidence: { ...check.evidence, command } } : check
}
const criterion = (description: string) => ({ id: 'C1', description, status: 'pending', note: null }) as const

test.each([
  ['All tests pass.', [green()], 'met'],
  ['tests pass', [green(), green('no_regression')], 'met'],
  ['All tests pass', [red()], 'not_met'],
  ['All tests pass', [], 'pending'],
  ['Linting is clean', [green()], 'pending'],
  ['Linting is clean', [green('linter_pass')], 'met'],
  ['Tests pass for negative numbers', [green()], 'pending'],
  ['The sum of nothing is 0', [green()], 'pending'],
  ['`npm test` passes.', [green()], 'met'],
  ['npm test passes', [red()], 'not_met'],
  ['npm run size passes', [green()], 'pending'],
  ['test/cart.test.ts passes', [ranBy('node --test test/cart.test.ts')], 'met'],
  ['The tests in `test/cart.test.ts` are green', [ranBy('node --test test/cart.test.ts')], 'met'],
  ['test/cart.test.ts passes', [ranBy('node --test test/cart.test.tsx')], 'pending'],
  ['test passes', [green()], 'met'],
] as const)('%s with row %$', (description, checks, status) => {
  expect(judgeByChecks([criterion(description)], checks)[0]?.status).toBe(status)
})
