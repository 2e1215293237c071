// Whom to ask about a lesson, and what the answer changes. Pure, as tables.
import { freshLesson, type Lesson, NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import { NOW } from '../work/testing/sample.ts'
import { adjustedBy, questionAbout, rewordedBy } from './confirm.ts'

const lesson = (changes: Partial<Lesson>): Lesson => ({
  ...freshLesson(
    NewLesson.parse({ type: 'pattern', content: 'Use UTC.' }),
    '00000000-0000-4000-8000-000000000001',
    NOW,
  ),
  ...changes,
})

test.each<[string, Partial<Lesson>, string | null]>([
  ['a pattern that is sure', { confidence: 0.85, occurrences: 2 }, 'pattern_detected'],
  ['a pattern at the border', { confidence: 0.8 }, null],
  ['a gotcha seen once', { type: 'gotcha' }, null],
  ['a gotcha seen twice', { type: 'gotcha', occurrences: 2 }, 'gotcha_candidate'],
  ['one without words', { type: 'gotcha', occurrences: 2, content: '' }, null],
  ['one that was retired', { type: 'gotcha', occurrences: 2, verdict: 'retired' }, null],
  ['a resolution', { type: 'resolution', occurrences: 9, confidence: 0.95 }, null],
])('%s', (_, changes, event) => {
  expect(questionAbout(lesson(changes))?.event ?? null).toBe(event)
})

test.each<[string | null, number, number | null]>([
  ['Yes, add it', 0.85, 0.9],
  ['Yes, add to Knowledge Base', 0.95, 0.95],
  ['Not a real pattern', 0.85, 0.2],
  ["It's project-specific, don't generalize", 0.85, 0.6],
  ['Refine it first...', 0.85, null],
  [null, 0.85, null],
])('the answer %s at %d', (option, confidence, to) => {
  expect(adjustedBy(option, confidence)?.confidence ?? null).toBe(to)
})

test('what a person says is none is told to nobody, and nothing takes its place', () => {
  expect(adjustedBy('Not a real pattern', 0.85)).toMatchObject({ confidence: 0.2, verdict: 'retired' })
  expect(adjustedBy('Yes, add it', 0.85)?.verdict).toBeUndefined()
})

test.each<[string | null, string, string | null]>([
  ['Refine it first...', 'Refine it first: Use UTC in logs.', 'Use UTC in logs.'],
  ['Reword it...', 'Reword it...: Mind the gap', 'Mind the gap'],
  ['Reword it...', 'Reword it...', null],
  ['Reword it...', 'Reword it: ', null],
  ['Yes, add it', 'Yes, add it', null],
  [null, 'what is this?', null],
])('the words of %s, %s', (option, text, words) => {
  expect(rewordedBy({ option, text })).toBe(words)
})
