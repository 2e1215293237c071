import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { readAnswer } from './answer.ts'

const SEED = `**Status:** REJECTED

**Acceptance Criteria Review:**
- [x] Criterion 1: Met (evidence: src/sum.ts:4)
- [ ] Criterion 2: Not met (reason: expected 0, observed NaN (see the log))

**Code Quality Review:**
- Tests: PASS (details: 12 of 12)
- Linting: FAIL (details: 2 errors)
- Security: PASS
- Documentation: FAIL (details: sum has no comment)

**Feedback for Execution Agent:**
1. Return 0 for an empty list
2. Add a test for it
`

verifies(
  ['ORCH-3.1-5', 'AC-3.1.e', 'AC-3.3.c'],
  'the format of the prompt is read: status, criteria with evidence or reason, quality, feedback',
  () => {
    expect(readAnswer(SEED)).toEqual({
      is: 'read',
      answer: {
        status: 'REJECTED',
        criteria: [
          { about: 'Criterion 1', met: true, note: 'src/sum.ts:4' },
          { about: 'Criterion 2', met: false, note: 'expected 0, observed NaN (see the log)' },
        ],
        quality: [
          { quality: 'tests', passes: true, details: '12 of 12' },
          { quality: 'linting', passes: false, details: '2 errors' },
          { quality: 'security', passes: true, details: '' },
          { quality: 'documentation', passes: false, details: 'sum has no comment' },
        ],
        feedback: ['Return 0 for an empty list', 'Add a test for it'],
      },
    })
  },
)

const json = (value: object) => JSON.stringify(value)
const approved = {
  status: 'APPROVED',
  criteria: [{ id: 'AC-1.1.a', met: true, evidence: 'src/a.ts:1' }],
  quality: { tests: { result: 'PASS', details: 'all' }, security: 'FAIL' },
  feedback: [],
}

verifies(['AC-3.1.e', 'AC-3.3.c'], 'JSON comes first, bare, fenced or between words', () => {
  const expected = {
    status: 'APPROVED',
    criteria: [{ about: 'AC-1.1.a', met: true, note: 'src/a.ts:1' }],
    quality: [
      { quality: 'tests', passes: true, details: 'all' },
      { quality: 'security', passes: false, details: '' },
    ],
    feedback: [],
  }
  for (const text of [
    json(approved),
    `\`\`\`json\n${JSON.stringify(approved, null, 2)}\n\`\`\``,
    `I looked at { all } of it.\n\n${json(approved)}\n\nThat is all.`,
  ])
    expect(readAnswer(text)).toEqual({ is: 'read', answer: expected })
})

verifies('AC-3.1.e', 'the status is found in the forms that writers give it', () => {
  const forms: [string, string][] = [
    ['Status: APPROVED', 'APPROVED'],
    ['**Status: APPROVED**', 'APPROVED'],
    ['## Status: rejected', 'REJECTED'],
    ['- **Status**: `APPROVED`', 'APPROVED'],
    ['> Status: Approved.', 'APPROVED'],
    ['Verdict: REJECTED because of X', 'REJECTED'],
    ['Status: NOT APPROVED', 'REJECTED'],
    ['I have read it all.\n\nAPPROVED', 'APPROVED'],
    ['**REJECTED**', 'REJECTED'],
    ['```markdown\n**Status:** APPROVED\n- [x] C1: Met (evidence: a.ts:1)\n```', 'APPROVED'],
    ['**Status:** APPROVED | REJECTED\n\n**Status:** REJECTED', 'REJECTED'],
    ['{"status":"approved"}', 'APPROVED'],
    ['{"status":"reject","criteria":null}', 'REJECTED'],
  ]
  for (const [text, status] of forms) {
    const read = readAnswer(text)
    expect([text, read.is === 'read' ? read.answer.status : read.why]).toEqual([text, status])
  }
})

test.each([
  ['', 'empty'],
  ['   \n', 'empty'],
  ['Looks good to me!', 'no status'],
  ['I would have approved this if it were mine.', 'no status'],
  ['**Status:** APPROVED | REJECTED', 'no status'],
  ['Status: APPROVED\n\nStatus: REJECTED', 'both approves and rejects'],
  [`${json(approved)}\n${json({ ...approved, status: 'REJECTED' })}`, 'both approves and rejects'],
  [`${json(approved)}\n${json(approved)}`, 'several answers'],
  [`Status: REJECTED\n${json(approved)}`, 'contradict'],
  [json({ status: 'APPROVED', criteria: 'all of them' }), 'form'],
  ['```\nStatus: APPROVED\n```\nis what the diff says, not I.', 'no status'],
  [json({ status: 'maybe' }), 'no status'],
])('%j is not read: %s', (text, why) => {
  expect(readAnswer(text)).toMatchObject({ is: 'unreadable', why: expect.stringContaining(why) })
})

test('doubtful ticks are no ticks', () => {
  const read = readAnswer(
    [
      'Status: APPROVED',
      '- [x] AC-1.1.a: Not met (reason: no)',
      '- [ ] AC-1.1.b: Met (evidence: a.ts:1)',
      '- [x] AC-1.1.c does what it says (evidence: b.ts:2)',
      '- [X] **AC-1.1.d**: **Met** (evidence: check tests_pass)',
    ].join('\n'),
  )
  expect(read.is === 'read' && read.answer.criteria).toEqual([
    { about: 'AC-1.1.a', met: false, note: 'no' },
    { about: 'AC-1.1.b', met: false, note: 'a.ts:1' },
    { about: 'AC-1.1.c does what it says (evidence: b.ts:2)', met: true, note: 'b.ts:2' },
    { about: 'AC-1.1.d', met: true, note: 'check tests_pass' },
  ])
  const both = readAnswer(json({ status: 'APPROVED', criteria: [{ id: 'a', met: true, status: 'not_met' }] }))
  expect(both.is === 'read' && both.answer.criteria[0]?.met).toBe(false)
})

test('feedback that says nothing is none', () => {
  for (const said of ['None', '(Only if rejected - specific, actionable feedback)', 'N/A', ''])
    expect(readAnswer(`Status: APPROVED\n\n**Feedback for Execution Agent:**\n${said}`)).toMatchObject({
      answer: { feedback: [] },
    })
})

test('a very long answer full of brackets is read in a moment', () => {
  const text = `${'{'.repeat(200_000)}\nStatus: REJECTED\n- [ ] C1: Not met (reason: x)`
  expect(readAnswer(text)).toMatchObject({ is: 'read', answer: { status: 'REJECTED' } })
})
