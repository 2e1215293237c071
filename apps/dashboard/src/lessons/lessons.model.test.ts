import { freshLesson, type LessonTrial, NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import {
  headOf,
  readLesson,
  recordedWords,
  type TypedLesson,
  trialWords,
  upliftWords,
} from './lessons.model.ts'

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

const typed: TypedLesson = {
  content: 'Dates are in UTC',
  type: 'pattern',
  glob: '',
  topic: '',
  signature: '',
}

test('what a person teaches is a lesson of theirs', () => {
  expect(readLesson({ ...typed, glob: ' src/** ', content: ' Dates are in UTC ' })).toMatchObject({
    is: 'ready',
    value: {
      content: 'Dates are in UTC',
      type: 'pattern',
      glob: 'src/**',
      topic: null,
      discoveredBy: 'owner',
    },
  })
})

test.each<[Partial<TypedLesson>, RegExp]>([
  [{ content: ' ' }, /in one sentence/],
  [{ content: 'x'.repeat(4_001) }, /^content: /],
  [{ glob: 'g'.repeat(501) }, /^glob: /],
  [{ type: 'rumour' }, /^type: /],
])('%j is wrong, and it says why', (given, why) => {
  const read = readLesson({ ...typed, ...given })
  expect(read.is === 'wrong' && read.why).toMatch(why)
})

test('what became of a lesson is said', () => {
  const [known, old] = [lesson({ content: 'new' }), lesson({ content: 'old' })]
  expect(recordedWords({ is: 'recorded', lesson: known })).toBe('Lesson saved.')
  expect(recordedWords({ is: 'seen_again', lesson: known })).toContain('Already known')
  expect(recordedWords({ is: 'superseding', lesson: known, old })).toContain('“old”')
  expect(recordedWords({ is: 'known_better', lesson: old })).toContain('“old”')
})
