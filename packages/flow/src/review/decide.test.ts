import type { GateResult, Wait } from '@treadle/contracts/gate'
import type { MeasureFound } from '@treadle/contracts/measure'
import type { ReviewCriterion } from '@treadle/contracts/review'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type Reviewer, reviewerIn } from '../work/approval.ts'
import { green, red, sampleConfig } from '../work/testing/sample.ts'
import type { CriteriaRead } from './criteria.ts'
import { BUILD_ORDER, decideReview } from './decide.ts'

const engine: Reviewer = { is: 'engine', name: 'scripted' }
const nobody: Reviewer = { is: 'none', why: 'engines.reviewer is not set' }
const criterion = { id: 'C1', description: 'Is fast', status: 'pending', note: null } as const
const some: CriteriaRead = { is: 'found', criteria: [criterion] }
const shown: CriteriaRead = { is: 'found', criteria: [{ ...criterion, status: 'met', note: 'check' }] }
const proven = {
  evidence: { level: 'proven', why: 'red is green' },
  needs: 'proven',
  repeats: null,
  asked: [],
} as const
const base = { confidence: null, criteria: some, reviewer: engine, ...proven }

verifies(
  ['ORCH-3.4-6', 'ORCH-3.4-7', 'ORCH-3.4-8'],
  'a blocking check that fails rejects, whoever was to decide',
  () => {
    const approvals = ['checks', 'human', 'reviewer'] as const
    for (const gate of ['tests_pass', 'no_regression', 'linter_pass', 'security', 'secrets'] as const)
      for (const approval of approvals)
        expect([gate, approval, decideReview({ ...base, approval, gates: [green(), red(gate)] }).is]).toEqual(
          [gate, approval, 'reject'],
        )
  },
)

test.each(['documentation', 'mutation'] as const)('%s advises and rejects nothing', (gate) => {
  const gates = [green(), red(gate)]
  expect(decideReview({ ...base, approval: 'checks', gates }).is).toBe('approve')
  expect(decideReview({ ...base, approval: 'reviewer', gates })).toEqual({ is: 'wait', for: 'reviewer' })
})

test.each<[string, CriteriaRead, Reviewer, readonly GateResult[], object]>([
  ['criteria and somebody who reads', some, engine, [green()], { is: 'wait', for: 'reviewer' }],
  ['no criteria', { is: 'none' }, engine, [green()], { is: 'wait', for: 'person', why: expect.any(String) }],
  [
    'criteria that cannot be read',
    { is: 'unreadable', why: 'too many' },
    engine,
    [green()],
    { is: 'wait', for: 'person', why: 'too many' },
  ],
  [
    'nobody who reads',
    some,
    nobody,
    [green()],
    { is: 'wait', for: 'person', why: expect.stringContaining('C1') },
  ],
  [
    'nobody, and the checks show it all',
    shown,
    nobody,
    [green()],
    { is: 'approve', kind: 'reviewer', by: 'checks' },
  ],
  [
    'nobody, and no check that ran',
    shown,
    nobody,
    [],
    { is: 'wait', for: 'person', why: expect.any(String) },
  ],
])('left to a reviewer: %s', (_, ...[criteria, reviewer, gates, choice]) => {
  expect(
    decideReview({ ...proven, approval: 'reviewer', confidence: null, gates, criteria, reviewer }),
  ).toEqual(choice)
})

test.each([
  [{}, 'merge.approval is human'],
  [{ merge: { approval: 'reviewer' } }, 'engines.reviewer is not set'],
  [{ merge: { approval: 'reviewer' }, engines: { reviewer: 'repair' } }, 'cannot read'],
])('%j: nobody reads', (settings, why) => {
  expect(reviewerIn(sampleConfig(settings))).toMatchObject({ is: 'none', why: expect.stringContaining(why) })
})

test('an engine that is named reads', () => {
  const config = sampleConfig({ merge: { approval: 'reviewer' }, engines: { reviewer: 'command' } })
  expect(reviewerIn(config)).toEqual({ is: 'engine', name: 'command' })
})

function waiting(kind: Wait['class']): GateResult {
  const shown = green()
  if (!('evidence' in shown)) throw new Error('a green gate has evidence')
  return {
    is: 'passed_with_warnings',
    gate: 'capabilities',
    evidence: shown.evidence,
    warnings: ['told'],
    waits: [
      { class: 'capability', file: 'a.js', line: 3, words: 'clock: Date.now' },
      { class: kind, file: 'b.js', line: null, words: 'told' },
    ],
  }
}

test('what brings something new is merged by no standing order, and a protected path by no model either', () => {
  const decide = (
    approval: 'checks' | 'human' | 'reviewer',
    kind: Wait['class'],
    reviewer: Reviewer = engine,
  ) => decideReview({ ...base, approval, gates: [green(), waiting(kind)], reviewer, criteria: shown })
  const listed = {
    is: 'wait',
    for: 'person',
    why: expect.stringContaining('new capability: a.js:3: clock: Date.now'),
  }
  for (const kind of ['capability', 'configuration', 'unreadable'] as const) {
    expect(decide('checks', kind)).toEqual(listed)
    expect(decide('human', kind)).toEqual(listed)
    expect(decide('reviewer', kind)).toEqual({ is: 'wait', for: 'reviewer' })
    expect(decide('reviewer', kind, nobody)).toEqual(listed)
  }
  // The protected path is named first.
  const first = {
    is: 'wait',
    for: 'person',
    why: expect.stringMatching(/before: protected path: b\.js: told; new/),
  }
  for (const approval of ['checks', 'human', 'reviewer'] as const)
    expect(decide(approval, 'protected_path')).toEqual(first)
})

test('the change that was sent back before goes to a person, whatever the checks say and whoever was to decide', () => {
  for (const approval of ['checks', 'human', 'reviewer'] as const)
    for (const gates of [[green()], [green(), red('tests_pass')]])
      expect(decideReview({ ...base, approval, gates, repeats: 2 })).toEqual({
        is: 'wait',
        for: 'person',
        why: 'it is the same change as delivery 2, which was sent back',
      })
})

test('a standing order does not merge over the head of who asked for changes', () => {
  const asked = { ...criterion, id: 'R1.1', description: 'Add a test for zero', askedIn: 1 } as const
  const decide = (one: ReviewCriterion) =>
    decideReview({
      ...base,
      approval: 'checks',
      gates: [green()],
      criteria: { is: 'none' },
      asked: [one],
    })
  expect(decide(asked)).toEqual({
    is: 'wait',
    for: 'person',
    why: expect.stringContaining('"Add a test for zero"'),
  })
  expect(decide({ ...asked, status: 'met', note: 'check: tests_pass' }).is).toBe('approve')
})

test.each(['human', 'checks', 'reviewer', 'never'] as const)(
  'a task lands on the branch of its build with green gates alone, where merge.approval is %s',
  (approval) => {
    const facts = { ...base, repeats: null, asked: [], approval, isTask: true } as const
    expect(decideReview({ ...facts, gates: [green()] })).toMatchObject({ is: 'approve', by: BUILD_ORDER })
    expect(decideReview({ ...facts, gates: [red('tests_pass')] })).toEqual({ is: 'reject' })
    expect(decideReview({ ...facts, gates: [] })).toMatchObject({ is: 'wait', for: 'person' })
    expect(decideReview({ ...facts, gates: [green()], repeats: 1 })).toMatchObject({
      is: 'wait',
      for: 'person',
    })
  },
)

test('a change that is for a finding is merged by standing order only if it puts that right and nothing else wrong', () => {
  const { evidence } = green('witness') as Extract<GateResult, { is: 'passed' }>
  const witness = (measure?: MeasureFound): GateResult => ({
    is: 'passed',
    gate: 'witness',
    evidence: measure === undefined ? evidence : { ...evidence, measure },
  })
  const decide = (gates: readonly GateResult[], isFinding = true) =>
    decideReview({ ...base, needs: 'supported', approval: 'checks', gates: [green(), ...gates], isFinding })
  const turned = { is: 'improved', before: 1, after: 0, better: null } as const
  const person = (why: string) => ({ is: 'wait', for: 'person', why: expect.stringContaining(why) })
  expect(decide([witness(turned)]).is).toBe('approve')
  expect(decide([witness({ ...turned, brought: ['empty-catch:a.js'] })])).toEqual(
    person('the change brought 1 new finding: empty-catch:a.js'),
  )
  expect(decide([witness({ ...turned, is: 'not_improved', after: 1 })])).toEqual(person('did not improve'))
  expect(decide([{ is: 'skipped', gate: 'witness', why: 'gates.witness is off' }])).toEqual(
    person('gates.witness is off'),
  )
  expect(decide([witness()])).toEqual(person('nobody has measured it'))
  expect(decide([witness()], false).is).toBe('approve')
})
