// One event of every kind about questions, and the sentence it makes.
import type { EventType, TreadleEvent } from '../event.ts'

type QuestionEvent = Extract<EventType, `question.${string}`>
const runId = '00000000-1111-4111-8111-000000000001'

export const QUESTION_SAMPLES: {
  [T in QuestionEvent]: [Extract<TreadleEvent, { type: T }>, string, string | null]
} = {
  'question.asked': [
    {
      type: 'question.asked',
      question: {
        id: runId,
        number: 3,
        type: 'blocking',
        blocking: true,
        agent: 'build',
        text: 'Which one?',
      },
    },
    'build asks you (question 3)',
    'Which one?',
  ],
  'question.answered': [
    {
      type: 'question.answered',
      questionId: runId,
      number: 3,
      text: 'The first',
      option: null,
      by: 'ada',
      how: 'person',
    },
    'ada answered question 3',
    'The first',
  ],
  'question.defaulted': [
    {
      type: 'question.defaulted',
      questionId: runId,
      number: 3,
      text: 'Go on',
      option: 'Go on',
      by: 'treadle',
      how: 'default',
    },
    'The default of question 3 holds',
    'Go on (nobody answered in time)',
  ],
  'question.reminded': [
    { type: 'question.reminded', questionId: runId, number: 3, blocking: true, text: 'Which one?' },
    'Question 3 still waits for you',
    'Which one?',
  ],
  'question.withdrawn': [
    { type: 'question.withdrawn', questionId: runId, number: 3, why: 'its run is over' },
    'Question 3 is over',
    'its run is over',
  ],
}
