import { freshLesson, type LessonTrial, NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import { headOf, trialWords, upliftWords } from './lessons.model.ts'

const lesson = (given: Partial<NewLesson>) =>
  freshLesson(NewLesson.parse({ type: 'gotcha', ...given }), crypto.randomUUID(), new Date())
const trial: LessonTrial = {
  verdict: 'on_trial',
  looks: 0,
  shown: { good: 30, bad: 5, usd: 1 },
  withheld: { good: 8, bad: 7, usd: 1 },
  leftOut: 2,
  used: 50,
  uplift: { mean: 0.31, low: 0.12, high: -0.004 },
  nextLookAt: 100,
}

test.each([
  [lesson({ content: 'Say it' }), 'Say it'],
  [lesson({ payload: { summary: 'In short' }, topic: 'dates' }), 'In short'],
  [lesson({ topic: 'dates' }), 'dates'],
  [lesson({ signature: 'TypeError' }), 'TypeError'],
  [lesson({ topic: 'wrap', signature: 'TypeError' }), 'wrap · TypeError'],
  [lesson({}), 'No words'],
])('a lesson is headed by what there is', (known, words) => {
  expect(headOf(known)).toBe(words)
})

test('a trial is told in runs, and its effect in points with an interval', () => {
  expect(trialWords(trial)).toBe('shown in 35 runs, withheld in 15')
  expect(upliftWords(trial)).toBe('+31 points (+12 to −0)')
  expect(trialWords(null)).toBe('never met')
  expect(upliftWords({ ...trial, uplift: null })).toBe('not known yet')
})
