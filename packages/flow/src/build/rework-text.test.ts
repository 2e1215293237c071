import { expect, test } from 'vitest'
import { NOTHING_ASKED, type Requested, type Rework } from '../work/rework.ts'
import { cameBackText, requestParts, reworkParts } from './rework-text.ts'

const REWORK: Rework = {
  head: 'a'.repeat(40),
  how: 'carried',
  commit: 'b'.repeat(40),
  conflicts: [],
  isMoved: true,
  diff: '+state: right',
}
const ASKED: Requested = { requested: ['Add a test', 'Say what\nhappens to null'], sentBy: 'reviewer' }
const item = {
  needsRework: true,
  reason: 'Not yet: see above',
  sentBackBy: 'review',
  startsAnew: false,
} as const
const textOf = (facts: Parameters<typeof reworkParts>[0]) =>
  reworkParts(facts)
    .map(({ text }) => text ?? '')
    .join('\n')

test('what was asked for is a checklist, with the words of whoever sent it back and the change itself', () => {
  const text = textOf({ item, rework: REWORK, asked: ASKED })
  for (const words of [
    'The review sent the last delivery back.',
    '- [ ] Add a test',
    '- [ ] Say what happens to null',
    'Not yet: see above',
    'aaaaaaaa in them, on the target as it is now',
    '+state: right',
  ])
    expect(text).toContain(words)
})

test('what the review asks for is to be done, and nobody but the owner speaks as the owner', () => {
  const trusts = (facts: Parameters<typeof reworkParts>[0]) => requestParts(facts).map(({ trust }) => trust)
  expect(trusts({ item, rework: REWORK, asked: ASKED })).toEqual(['reviewer'])
  expect(trusts({ item, rework: REWORK, asked: { ...ASKED, sentBy: null } })).toEqual(['tool'])
  expect(trusts({ item: { ...item, sentBackBy: 'merge' }, rework: REWORK, asked: ASKED })).toEqual(['tool'])
})

test('the words of a person are those of the owner, once, beside what earlier reviews left open', () => {
  const said = { ...item, reason: 'Please:\n- Use Math.ceil' }
  const asked: Requested = { requested: ['Add a test', 'Use Math.ceil'], sentBy: 'person' }
  const [owner, earlier] = requestParts({ item: said, rework: REWORK, asked })
  expect(owner).toMatchObject({
    trust: 'owner',
    text: expect.stringContaining('Please:\n- [ ] Use Math.ceil'),
  })
  expect(earlier).toMatchObject({ trust: 'reviewer', text: expect.stringMatching(/- \[ \] Add a test$/) })
})

test('the words with which a person gave it back after a conflict are those of the owner, without any review', () => {
  const said = { ...item, sentBackBy: 'person', reason: 'Keep both names' } as const
  const [owner, earlier] = requestParts({ item: said, rework: REWORK, asked: NOTHING_ASKED })
  expect(owner).toMatchObject({ trust: 'owner', text: expect.stringContaining('Keep both names') })
  expect(earlier?.text).toBeNull()
})

test.each<[Requested['sentBy'], string]>([
  ['person', 'owner'],
  ['reviewer', 'reviewer'],
])('the words of a %s who has it started anew are theirs, and what is asked for is told', (sentBy, trust) => {
  const said = { ...item, reason: 'Use a table instead', startsAnew: true }
  const facts = { item: said, rework: null, asked: { requested: ['Add a test'], sentBy } }
  const [words] = requestParts(facts)
  expect(words).toMatchObject({ trust, text: expect.stringContaining('Use a table instead') })
  expect(textOf(facts)).toContain('- [ ] Add a test')
  expect(textOf(facts)).toContain('without the delivered change')
})

test('a change that does not merge is said to be only in the prompt', () => {
  const conflicted = { ...REWORK, how: 'conflicted', commit: null, conflicts: ['src/a.js'] } as const
  const text = textOf({ item: { ...item, sentBackBy: 'merge' }, rework: conflicted, asked: NOTHING_ASKED })
  expect(text).toContain('cannot be merged in src/a.js')
  expect(text).toContain('The files here are those of the target')
})

test('a new item is told nothing of it', () => {
  const fresh = { needsRework: false, reason: null, sentBackBy: null, startsAnew: false }
  expect(textOf({ item: fresh, rework: null, asked: NOTHING_ASKED }).trim()).toBe('')
})

test('the conversation that made the change is told where the files stand, without the change', () => {
  const facts = { item: { ...item, number: 7 }, rework: REWORK, asked: ASKED }
  const text = cameBackText(facts)
  for (const words of ['#7 has come back to you', 'your delivered change aaaaaaaa', 'look at them again'])
    expect(text).toContain(words)
  expect(text).not.toContain('+state: right')
  const still = cameBackText({ ...facts, rework: { ...REWORK, isMoved: false } })
  expect(still).not.toContain('target')
  expect(requestParts(facts)[0]?.text).toContain('- [ ] Add a test')
})
