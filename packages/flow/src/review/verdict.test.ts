import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { readAnswer } from './answer.ts'
import { holds, placesIn } from './evidence.ts'
import { decideVerdict } from './verdict.ts'

const criteria = [
  { id: 'AC-1.1.a', description: 'Adds two numbers', status: 'pending', note: null },
  { id: 'C2', description: 'Refuses text', status: 'pending', note: null },
] as const
const lines = new Map([
  ['src/sum.ts', 10],
  ['src/gone.ts', null],
])
const facts = { lines, checks: [green(), red('linter_pass')] }

function decide(text: string) {
  return decideVerdict({
    read: readAnswer(text),
    criteria,
    holds: (evidence, { description }) => holds(evidence, description, facts),
  })
}
const met = (one: string, two: string) => `Status: APPROVED
- [x] AC-1.1.a: Met (evidence: ${one})
- [x] Criterion 2: Met (evidence: ${two})`

verifies('AC-3.3.d', 'every criterion met, each with evidence that holds: approved', () => {
  expect(decide(met('src/sum.ts:4', 'src/sum.ts:10, where it throws'))).toEqual({
    is: 'approve',
    criteria: [
      { ...criteria[0], status: 'met', note: 'src/sum.ts:4' },
      { ...criteria[1], status: 'met', note: 'src/sum.ts:10, where it throws' },
    ],
  })
})

verifies('AC-3.3.e', 'one criterion not met: rejected, and the feedback says which and why', () => {
  const text = `Status: REJECTED
- [x] AC-1.1.a: Met (evidence: src/sum.ts:4)
- [ ] C2: Not met (reason: "a" is taken for 0)
**Feedback for Execution Agent:**
- Throw a TypeError for text`
  expect(decide(text)).toMatchObject({
    is: 'reject',
    issues: ['Acceptance criterion C2 not met: "a" is taken for 0'],
    changes: ['Throw a TypeError for text'],
    criteria: [{ status: 'met' }, { status: 'not_met' }],
  })
  // Also where the whole is called approved.
  expect(decide(text.replace('REJECTED', 'APPROVED')).is).toBe('reject')
})

test.each([
  ['no evidence', met('', ''), 'without evidence for AC-1.1.a, C2'],
  ['a file that is not there', met('src/gone.ts:1', 'src/sum.ts:1'), 'without evidence for AC-1.1.a'],
  ['a line that is not there', met('src/sum.ts:11', 'src/sum.ts:0'), 'without evidence for AC-1.1.a, C2'],
  ['a check that failed', met('linter_pass', 'lint is clean'), 'without evidence for AC-1.1.a, C2'],
  ['a check that is about something else', met('check: tests_pass', 'tests pass'), 'for AC-1.1.a, C2'],
  ['words', met('I looked at the tests', 'trust me'), 'without evidence'],
  ['a criterion left out', 'Status: APPROVED\n- [x] C2: Met (evidence: src/sum.ts:1)', 'for AC-1.1.a'],
  ['nothing at all', 'Status: APPROVED', 'for AC-1.1.a, C2'],
  ['another item', met('src/sum.ts:1', 'src/sum.ts:1').replace('AC-1.1.a', 'AC-7.7.z'), 'for AC-1.1.a'],
  ['a fault named', `${met('src/sum.ts:1', 'src/sum.ts:2')}\nSecurity: FAIL (details: eval)`, 'names faults'],
  ['no reason', 'Status: REJECTED', 'does not say why'],
  ['nonsense', 'ok', "the reviewer's answer cannot be used"],
])('%s is a matter for a person', (_, text, why) => {
  expect(decide(text)).toMatchObject({ is: 'person', why: expect.stringContaining(why) })
})

test('documentation alone rejects nothing', () => {
  expect(decide(`${met('src/sum.ts:1', 'src/sum.ts:2')}\n- Documentation: FAIL (details: none)`).is).toBe(
    'approve',
  )
})

test('what is denied once is denied, also between two ticks', () => {
  const text = `Status: APPROVED
- [x] AC-1.1.a: Met (evidence: src/sum.ts:1)
- [ ] AC-1.1.a: Not met (reason: it does not)
- [x] C2: Met (evidence: src/sum.ts:1)`
  expect(decide(text)).toMatchObject({ is: 'reject', criteria: [{ status: 'not_met' }, { status: 'met' }] })
})

test('what a check has shown needs no second witness', () => {
  const shown = [{ ...criteria[0], status: 'met', note: 'check: tests_pass' }, criteria[1]] as const
  const read = readAnswer('Status: APPROVED\n- [x] C2: Met (evidence: src/sum.ts:1)')
  const choice = decideVerdict({
    read,
    criteria: shown,
    holds: (evidence) => holds(evidence, 'It adds', facts),
  })
  expect(choice.is).toBe('approve')
})

test('a criterion is found by its words, too', () => {
  const text = `Status: APPROVED
- [x] Adds two numbers: Met (evidence: src/sum.ts:1)
- [x] "Refuses text.": Met (evidence: src/sum.ts:2)`
  expect(decide(text).is).toBe('approve')
})

test('places are read in the forms people write them', () => {
  expect(placesIn('./src/a.ts:3 and `lib/b-c.test.js:L12`, line 4; http://x:80')).toEqual([
    { path: 'src/a.ts', line: 3 },
    { path: 'lib/b-c.test.js', line: 12 },
    { path: 'x', line: 80 },
  ])
})
