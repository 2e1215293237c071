import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { readAnswer } from './answer.ts'
import { holds, placesIn, type ShownFile } from './evidence.ts'
import { decideVerdict } from './verdict.ts'

const criteria = [
  { id: 'AC-1.1.a', description: 'Adds two numbers', status: 'pending', note: null },
  { id: 'C2', description: 'Refuses text', status: 'pending', note: null },
] as const
const text = (count: number) => Array.from({ length: count }, (_, at) => `const v${at + 1} = ${at + 1}`)
const sum: ShownFile = { lines: text(40), hunks: [{ from: 1, to: 10, removed: ['eval(x)'] }], isTest: false }
const files = new Map<string, ShownFile>([
  ['src/sum.ts', sum],
  ['test/sum.test.ts', { lines: text(40), hunks: [], isTest: true }],
])
const facts = { files, checks: [green(), red('linter_pass')] }
/** A place in src/sum.ts and the line that stands there. */
const at = (line: number) => `src/sum.ts:${line} \`const v${line} = ${line}\``

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
  expect(decide(met(at(4), `${at(10)}, where it throws`))).toEqual({
    is: 'approve',
    criteria: [
      { ...criteria[0], status: 'met', note: at(4) },
      { ...criteria[1], status: 'met', note: `${at(10)}, where it throws` },
    ],
  })
})

verifies('AC-3.3.e', 'one criterion not met: rejected, and the feedback says which and why', () => {
  const text = `Status: REJECTED
- [x] AC-1.1.a: Met (evidence: ${at(4)})
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
  ['a file that is not there', met('src/gone.ts:1 `const v1 = 1`', at(1)), 'without evidence for AC-1.1.a'],
  [
    'a line that is not there',
    met('src/sum.ts:41 `const v40 = 40`', 'src/sum.ts:0 `const v1 = 1`'),
    'without evidence for AC-1.1.a, C2',
  ],
  ['a place without a quotation', met('src/sum.ts:4', 'src/sum.ts:5'), 'without evidence for AC-1.1.a, C2'],
  [
    'a quotation from elsewhere',
    met('src/sum.ts:4 `const v30 = 30`', at(5)),
    'without evidence for AC-1.1.a',
  ],
  ['words that stand nowhere', met('src/sum.ts:4 `return a + b`', at(5)), 'without evidence for AC-1.1.a'],
  ['a line that the change leaves alone', met(at(30), at(5)), 'without evidence for AC-1.1.a'],
  ['what stands everywhere', met('src/sum.ts:4 `= 4`', at(5)), 'without evidence for AC-1.1.a'],
  ['a quotation of two letters', met('src/sum.ts:4 `=`', at(5)), 'without evidence for AC-1.1.a'],
  ['a check that failed', met('linter_pass', 'lint is clean'), 'without evidence for AC-1.1.a, C2'],
  ['a check that is about something else', met('check: tests_pass', 'tests pass'), 'for AC-1.1.a, C2'],
  ['words', met('I looked at the tests', 'trust me'), 'without evidence'],
  ['a criterion left out', `Status: APPROVED\n- [x] C2: Met (evidence: ${at(1)})`, 'for AC-1.1.a'],
  ['nothing at all', 'Status: APPROVED', 'for AC-1.1.a, C2'],
  ['another item', met(at(1), at(1)).replace('AC-1.1.a', 'AC-7.7.z'), 'for AC-1.1.a'],
  ['a fault named', `${met(at(1), at(2))}\nSecurity: FAIL (details: eval)`, 'names faults'],
  ['no reason', 'Status: REJECTED', 'does not say why'],
  ['nonsense', 'ok', "the reviewer's answer cannot be used"],
])('%s is a matter for a person', (_, text, why) => {
  expect(decide(text)).toMatchObject({ is: 'person', why: expect.stringContaining(why) })
})

test('documentation alone rejects nothing', () => {
  expect(decide(`${met(at(1), at(2))}\n- Documentation: FAIL (details: none)`).is).toBe('approve')
})

test('what is denied once is denied, also between two ticks', () => {
  const text = `Status: APPROVED
- [x] AC-1.1.a: Met (evidence: ${at(1)})
- [ ] AC-1.1.a: Not met (reason: it does not)
- [x] C2: Met (evidence: ${at(1)})`
  expect(decide(text)).toMatchObject({ is: 'reject', criteria: [{ status: 'not_met' }, { status: 'met' }] })
})

test('what a check has shown needs no second witness', () => {
  const shown = [{ ...criteria[0], status: 'met', note: 'check: tests_pass' }, criteria[1]] as const
  const read = readAnswer(`Status: APPROVED\n- [x] C2: Met (evidence: ${at(1)})`)
  const choice = decideVerdict({
    read,
    criteria: shown,
    holds: (evidence) => holds(evidence, 'It adds', facts),
  })
  expect(choice.is).toBe('approve')
})

test('a criterion is found by its words, too', () => {
  const text = `Status: APPROVED
- [x] Adds two numbers: Met (evidence: ${at(1)})
- [x] "Refuses text.": Met (evidence: ${at(2)})`
  expect(decide(text).is).toBe('approve')
})

test('a line of a test, an off-by-two place and what was taken away are evidence as well', () => {
  const shown = (written: string) => holds(written, 'It adds', facts)
  expect(shown('test/sum.test.ts:30 "const v30 = 30"')).toBe(true)
  expect(shown('src/sum.ts:4 `const   v6=6`')).toBe(true)
  expect(shown('src/sum.ts:3 `eval(x)` is gone')).toBe(true)
  expect(shown('src/sum.ts:3 `src/sum.ts:3`')).toBe(false)
})

test('a line with quotation marks of its own, and a path with brackets, can be quoted', () => {
  const lines = ['const name = `a "b"`', 'x()']
  const page: ShownFile = { lines, hunks: [{ from: 1, to: 2, removed: [] }], isTest: false }
  const shown = { files: new Map([['app/[id]/page.tsx', page]]), checks: [] }
  const quote = { id: 'AC-1.1.a', met: true, evidence: 'app/[id]/page.tsx:1', quote: lines[0] }
  const read = readAnswer(JSON.stringify({ status: 'APPROVED', criteria: [quote] }))
  const choice = decideVerdict({
    read,
    criteria: [criteria[0]],
    holds: (evidence, { description }) => holds(evidence, description, shown),
  })
  expect(choice.is).toBe('approve')
})

test('that tests do not pass is no word for a check that passed', () => {
  expect(holds('tests pass', 'The tests pass', facts)).toBe(true)
  expect(holds('the tests do not pass', 'The tests pass', facts)).toBe(false)
})

test('the quotation of a JSON answer belongs to its place', () => {
  const one = { id: 'AC-1.1.a', met: true, evidence: 'src/sum.ts:4', quote: 'const v4 = 4' }
  const two = { id: 'C2', met: true, evidence: 'src/sum.ts:5', quote: '  const\n v5 = 5 ', tried: 'text' }
  expect(decide(JSON.stringify({ status: 'APPROVED', criteria: [one, two] })).is).toBe('approve')
  expect(decide(JSON.stringify({ status: 'APPROVED', criteria: [one, { ...two, quote: 'x' }] })).is).toBe(
    'person',
  )
})

test('places are read in the forms people write them', () => {
  expect(placesIn('./src/a.ts:3 and `lib/b-c.test.js:L12`, line 4; http://x:80')).toEqual([
    { path: 'src/a.ts', line: 3 },
    { path: 'lib/b-c.test.js', line: 12 },
    { path: 'x', line: 80 },
  ])
})
