import { expect, test } from 'vitest'
import type { Rework } from '../work/rework.ts'
import { cameBackText, requestParts, reworkParts } from './rework-text.ts'

const REWORK: Rework = {
  head: 'a'.repeat(40),
  how: 'carried',
  commit: 'b'.repeat(40),
  conflicts: [],
  isMoved: true,
  diff: '+state: right',
  requested: ['Add a test', 'Say what\nhappens to null'],
  sentBy: 'reviewer',
}
const item = { needsRework: true, reason: 'Not yet: see above', sentBackBy: 'review' } as const
const textOf = (facts: Parameters<typeof reworkParts>[0]) =>
  reworkParts(facts)
    .map(({ text }) => text ?? '')
    .join('\n')

test('what was asked for is a checklist, with the words of whoever sent it back and the change itself', () => {
  const text = textOf({ item, rework: REWORK })
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
  expect(trusts({ item, rework: REWORK })).toEqual(['reviewer'])
  expect(trusts({ item, rework: { ...REWORK, sentBy: null } })).toEqual(['tool'])
  expect(trusts({ item: { ...item, sentBackBy: 'merge' }, rework: REWORK })).toEqual(['tool'])
})

test('the words of a person are those of the owner, once, beside what earlier reviews left open', () => {
  const said = { ...item, reason: 'Please:\n- Use Math.ceil' }
  const rework: Rework = { ...REWORK, requested: ['Add a test', 'Use Math.ceil'], sentBy: 'person' }
  const [owner, earlier] = requestParts({ item: said, rework })
  expect(owner).toMatchObject({
    trust: 'owner',
    text: expect.stringContaining('Please:\n- [ ] Use Math.ceil'),
  })
  expect(earlier).toMatchObject({ trust: 'reviewer', text: expect.stringMatching(/- \[ \] Add a test$/) })
})

test('a change that does not merge is said to be only in the prompt', () => {
  const conflicted = { ...REWORK, how: 'conflicted', commit: null, conflicts: ['src/a.js'] } as const
  const text = textOf({ item: { ...item, sentBackBy: 'merge' }, rework: conflicted })
  expect(text).toContain('cannot be merged in src/a.js')
  expect(text).toContain('The files here are those of the target')
})

test('a new item is told nothing of it', () => {
  const fresh = { needsRework: false, reason: null, sentBackBy: null }
  expect(textOf({ item: fresh, rework: null }).trim()).toBe('')
})

test('the conversation that made the change is told where the files stand, without the change', () => {
  const facts = { item: { ...item, number: 7 }, rework: REWORK }
  const text = cameBackText(facts)
  for (const words of ['#7 has come back to you', 'your delivered change aaaaaaaa', 'look at them again'])
    expect(text).toContain(words)
  expect(text).not.toContain('+state: right')
  const still = cameBackText({ ...facts, rework: { ...REWORK, isMoved: false } })
  expect(still).not.toContain('target')
  expect(requestParts(facts)[0]?.text).toContain('- [ ] Add a test')
})
