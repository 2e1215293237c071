import type { Question } from '@treadle/contracts/paor'
import { expect, test } from 'vitest'
import { readAnswer } from './guidance.ts'
import { asksForRest, decideTurn } from './turn.ts'

const NOW = new Date('2026-01-01T12:00:00.000Z')
const facts = { text: 'why', faults: 0, faultsMax: 3, now: NOW }

test.each([
  ['rate_limited', '2026-01-01T15:00:00.000Z', 0, 'pause'],
  ['overloaded', '2026-01-01T12:00:01.000Z', 19, 'pause'],
  // In the past, or so far ahead that the time must be wrong: an ordinary fault.
  ['rate_limited', '2026-01-01T11:00:00.000Z', 0, 'again'],
  ['rate_limited', '2026-02-01T12:00:00.000Z', 0, 'again'],
  ['rate_limited', 'tomorrow', 0, 'again'],
  ['rate_limited', '2026-01-01T15:00:00.000Z', 20, 'again'],
  ['rate_limited', undefined, 0, 'again'],
  ['refused', '2026-01-01T15:00:00.000Z', 0, 'fail'],
  ['auth', '2026-01-01T15:00:00.000Z', 0, 'suspend'],
] as const)('%s that ends at %s after %i pauses: %s', (outcome, wakeAt, pauses, is) => {
  expect(decideTurn({ ...facts, outcome, wakeAt, pauses }).is).toBe(is)
})

test('a pause lasts until the limit ends, and a refused key says what the engine said', () => {
  const wakeAt = '2026-01-01T12:00:05.000Z'
  expect(decideTurn({ ...facts, outcome: 'rate_limited', wakeAt })).toEqual({
    is: 'pause',
    until: wakeAt,
    forMs: 5_000,
  })
  expect(decideTurn({ ...facts, outcome: 'billing' })).toEqual({
    is: 'suspend',
    why: 'The account of the engine has no credit: why',
  })
})

test('trouble of a provider that was waited for gives the item back at once, and until when', () => {
  const restsUntil = '2026-01-01T12:10:00.000Z'
  expect(decideTurn({ ...facts, outcome: 'overloaded', restsUntil })).toMatchObject({
    is: 'suspend',
    restsUntil,
  })
  // One that nobody could hold is tried again first, and is no finding about the item either.
  expect(decideTurn({ ...facts, outcome: 'network', faults: 3 })).toMatchObject({
    is: 'suspend',
    restsUntil: NOW.toISOString(),
  })
  expect(decideTurn({ ...facts, outcome: 'crashed', faults: 3 }).is).toBe('fail')
})

const question = (kind: Question['kind'], options: string[] = []): Question => ({
  id: 'q',
  kind,
  title: 'Well?',
  options,
})

test.each([
  [question('guidance'), 'Try the other file', { text: 'Try the other file' }],
  [question('choice', ['red', 'blue']), '2', { text: 'blue' }],
  [question('choice', ['red', 'blue']), 'BLUE', { text: 'blue' }],
  [question('choice', ['red', 'blue']), 'r', { text: 'red' }],
  [question('choice', ['blue', 'black']), 'b', { text: 'b' }],
  [question('choice', ['red']), 'neither', { text: 'neither' }],
  [question('permission', ['allow', 'deny']), 'yes', { text: 'yes', allow: true }],
  [question('permission'), 'no, use git mv', { text: 'use git mv', allow: false }],
  [question('permission'), 'deny', { text: 'deny', allow: false }],
  [question('permission', ['allow', 'deny']), '1', { text: 'allow', allow: true }],
  [question('permission', ['allow', 'deny']), '2', { text: 'deny', allow: false }],
  [question('permission', ['Allow once', 'Reject']), 'a', { text: 'Allow once', allow: true }],
  [question('permission', ['allow', 'deny']), 'd', { text: 'deny', allow: false }],
  [question('permission'), 'OK, go ahead', { text: 'OK, go ahead', allow: true }],
  // Whatever is no clear yes is a no, with what was said.
  [question('permission'), 'never', { text: 'never', allow: false }],
  [question('permission'), 'not that one', { text: 'not that one', allow: false }],
  [question('permission'), 'don’t', { text: 'don’t', allow: false }],
  [question('permission'), 'Search only in /src/utils', { text: 'Search only in /src/utils', allow: false }],
  [question('permission'), '', { text: '', allow: false }],
  [question('permission'), '{"command":"ls"}', { text: '', allow: true, input: { command: 'ls' } }],
  [question('form'), '{"name":"x"}', { text: '{"name":"x"}', values: { name: 'x' } }],
  [question('form'), 'x', { text: 'x', values: { answer: 'x' } }],
])('an answer as the engine takes it, row %$', (asked, text, answer) => {
  expect(readAnswer(asked, text)).toEqual(answer)
})

test('a provider that is in trouble or counts the use asks for a rest; a 500 and a refused account do not', () => {
  const restsUntil = '2026-01-01T12:10:00.000Z'
  expect(asksForRest({ outcome: 'overloaded', restsUntil })).toBe(true)
  expect(asksForRest({ outcome: 'rate_limited' })).toBe(true)
  expect(asksForRest({ outcome: 'overloaded' })).toBe(false)
  expect(asksForRest({ outcome: 'billing', restsUntil })).toBe(false)
})
