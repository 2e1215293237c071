import { expect, test } from 'vitest'
import type { Rework } from '../work/rework.ts'
import { reworkNews, reworkParts } from './rework-text.ts'

const REWORK: Rework = {
  head: 'a'.repeat(40),
  how: 'carried',
  commit: 'b'.repeat(40),
  conflicts: [],
  isMoved: true,
  diff: '+state: right',
  requested: ['Add a test', 'Say what\nhappens to null'],
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
  // Nobody but the owner speaks as the owner.
  expect(reworkParts({ item, rework: REWORK }).map(({ trust }) => trust)).not.toContain('owner')
})

test('a change that does not merge is said to be only in the prompt', () => {
  const conflicted = { ...REWORK, how: 'conflicted', commit: null, conflicts: ['src/a.js'] } as const
  const text = textOf({ item: { ...item, sentBackBy: 'merge' }, rework: conflicted })
  expect(text).toContain('cannot be merged with it in src/a.js')
  expect(text).toContain('The files here are those of the target')
})

test('a new item is told nothing of it', () => {
  const fresh = { needsRework: false, reason: null, sentBackBy: null }
  expect(textOf({ item: fresh, rework: null }).trim()).toBe('')
})

test('in the conversation that made the change only what was asked for is said, and that the target has gone on', () => {
  const newsOf = (rework: Rework, isCutOff = false) =>
    reworkNews({ item, rework }, isCutOff)
      .map(({ text }) => text ?? '')
      .join('\n')
  const news = newsOf(REWORK)
  for (const words of [
    '- [ ] Add a test',
    'Not yet: see above',
    'your delivered change aaaaaaaa',
    'look at them again',
  ])
    expect(news).toContain(words)
  expect(news).not.toContain('+state: right')
  expect(newsOf({ ...REWORK, isMoved: false })).not.toContain('look at them again')
  // The files are as it left them, and no longer those of the delivery.
  const cutOff = newsOf(REWORK, true)
  expect(cutOff).toContain('- [ ] Add a test')
  expect(cutOff).not.toContain('delivered change')
})
