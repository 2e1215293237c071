// What is told of a question.
import { z } from 'zod'
import { Slug } from '../idea.ts'
import { AnswerSource, QuestionType } from '../question.ts'
import { ANSWER_WORDS } from '../words/question.ts'
import { event, line, type Sentences, why } from './shape.ts'

const answered = {
  questionId: z.uuid(),
  number: z.int().min(1),
  text: z.string().max(20_000),
  /** The label that was chosen; null for words. */
  option: z.string().max(200).nullable(),
  by: z.string().min(1).max(100),
  how: AnswerSource,
  /** The specification that it was about. */
  spec: Slug.optional(),
  /** The decision that it was asked for. */
  decisionId: z.string().max(128).optional(),
}

/** Facts that move no item. */
const facts = [
  event('question.asked', {
    question: z.strictObject({
      id: z.uuid(),
      number: z.int().min(1),
      type: QuestionType,
      blocking: z.boolean(),
      agent: z.string().max(100),
      text: z.string().max(20_000),
    }),
  }),
  event('question.answered', answered),
  /** Nobody answered in time, or nobody was to be asked: its default holds. */
  event('question.defaulted', answered),
  event('question.reminded', {
    questionId: z.uuid(),
    number: z.int().min(1),
    blocking: z.boolean(),
    text: z.string().max(20_000),
  }),
  /** Nobody waits for an answer any more. */
  event('question.withdrawn', { questionId: z.uuid(), number: z.int().min(1), why }),
] as const

export const questionEvents = {
  facts,
  sentences: {
    'question.asked': ({ question: { number, agent, blocking, text } }) =>
      line(`${agent} asks you (question ${number})`, text, blocking ? 'attention' : 'plain'),
    'question.answered': ({ number, by, text, how }) =>
      line(
        how === 'person'
          ? `${by} answered question ${number}`
          : `Question ${number} needed no answer of yours`,
        how === 'person' ? text : `${text} (${ANSWER_WORDS[how]})`,
      ),
    'question.defaulted': ({ number, text, how }) =>
      line(`The default of question ${number} holds`, `${text} (${ANSWER_WORDS[how]})`),
    'question.reminded': ({ number, text, blocking }) =>
      line(`Question ${number} still waits for you`, text, blocking ? 'attention' : 'plain'),
    'question.withdrawn': ({ number, why }) => line(`Question ${number} is over`, why),
  } satisfies Sentences<(typeof facts)[number]>,
}
