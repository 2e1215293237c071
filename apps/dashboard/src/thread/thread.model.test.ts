import type { QuestionRecord } from '@treadle/contracts/question'
import type { Review } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { readingEngines, threadOf } from './thread.model.ts'

const at = (minute: number) => `2026-11-15T12:0${minute}:00.000Z`
const question = (given: Partial<QuestionRecord>) =>
  ({
    id: 'q',
    number: 1,
    agent: 'agent-1',
    text: 'Which?',
    status: 'open',
    askedAt: at(2),
    answer: null,
    ...given,
  }) as QuestionRecord
const review = (given: Partial<Review>) =>
  ({
    id: 1,
    cycle: 1,
    status: 'rejected',
    feedback: 'No',
    requested: [],
    decidedBy: 'ada',
    decidedAt: at(4),
    ...given,
  }) as Review
const said = { id: 'g', by: 'ada', at: at(1), text: 'Look here', about: null, arrived: 'Read' } as const

test('guidance, questions, answers and feedback are one conversation in the order of time, each with its mark', () => {
  const answer = {
    text: 'The first',
    option: null,
    by: 'ada',
    at: at(3),
    how: 'person',
  } as unknown as QuestionRecord['answer']
  const entries = threadOf({
    said: [said],
    questions: [question({ status: 'answered', answer })],
    reviews: [review({ requested: ['Add a test', 'Use ceil'] })],
  })
  expect(entries.map(({ kind, by, text, mark }) => [kind, by, text, mark?.words])).toEqual([
    ['Message', 'ada', 'Look here', 'Read'],
    ['Question', 'agent-1', 'Which?', 'Answered'],
    ['Answer', 'ada', 'The first', undefined],
    ['Changes requested', 'ada', 'Add a test\nUse ceil', 'Not delivered again yet'],
  ])
})

test('an answer that went to a run is said once, and an open question waits where it stands', () => {
  const answer = {
    text: 'The first',
    option: null,
    by: 'ada',
    at: at(3),
    how: 'person',
  } as unknown as QuestionRecord['answer']
  const guided = { ...said, id: 'h', at: at(3), text: 'The first', about: 'Which?', arrived: null }
  const entries = threadOf({
    said: [guided],
    questions: [question({ status: 'answered', answer }), question({ id: 'r', askedAt: at(5) })],
    reviews: [],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['Question', 'Answer', 'Question'])
  expect(entries[2]).toMatchObject({ mark: { words: 'Waiting for you' }, open: { id: 'r' } })
})

test('feedback is marked once there is another delivery', () => {
  const [first] = threadOf({
    said: [],
    questions: [],
    reviews: [
      review({}),
      review({ id: 2, cycle: 2, status: 'pending', feedback: null, decidedAt: null } as Partial<Review>),
    ],
  })
  expect(first?.mark?.words).toBe('Delivered again as 2')
})

test('engines that read are offered, never the one that does not', () => {
  expect(readingEngines(['repair', 'scripted', 'native', 'claude-code'], 'repair')).toEqual([
    'claude-code',
    'native',
  ])
})
