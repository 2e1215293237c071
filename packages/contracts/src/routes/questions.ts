// What agents ask people, what is answered, and what is answered for them from then on.
import { z } from 'zod'
import { Positive } from '../ids.ts'
import {
  NewQuestion,
  Preference,
  QuestionOption,
  QuestionRecord,
  QuestionStatus,
  QuestionType,
} from '../question.ts'
import { decision, page, route } from '../route.ts'

const questionPath = z.strictObject({ id: z.uuid() })
const NO_QUESTION = { 404: 'There is no such question' }
const limit = z.coerce.number().int().min(1).max(1_000).default(200)

/** As much as fits into what an agent is told. */
const ANSWER_CHARS_MAX = 4_000

export const Asked = z.strictObject({
  is: z.enum(['asked', 'settled', 'not_asked']),
  question: QuestionRecord.nullable(),
  /** Why nobody was asked. */
  why: z.string().nullable(),
})

/** When something happens to an agent, and the condition holds, these are asked. */
export const CatalogueEntry = z.strictObject({
  agent: z.string(),
  event: z.string(),
  phase: z.string().nullable(),
  condition: z.string().nullable(),
  /** What whoever triggers it has to know. */
  facts: z.array(z.string()),
  questions: z.array(
    z.strictObject({
      type: QuestionType,
      text: z.string(),
      context: z.string(),
      options: z.array(QuestionOption),
      allowFreeText: z.boolean(),
      default: z.string().nullable(),
      blocking: z.boolean(),
      tags: z.array(z.string()),
    }),
  ),
})

export const questionRoutes = {
  questionCatalogue: route({
    method: 'GET',
    path: '/api/question-catalogue',
    key: 'crew',
    summary: 'What each agent asks, and when',
    response: page(CatalogueEntry),
  }),
  listQuestions: route({
    method: 'GET',
    path: '/api/questions',
    key: 'crew',
    summary: 'Questions: open ones first, of those the blocking ones, each oldest first',
    query: z.strictObject({
      status: QuestionStatus.optional(),
      /** Number of the item. */
      item: z.coerce.number().pipe(Positive).optional(),
      projectNumber: z.coerce.number().pipe(Positive).default(1),
      limit,
    }),
    response: page(QuestionRecord),
  }),
  showQuestion: route({
    method: 'GET',
    path: '/api/questions/:id',
    key: 'crew',
    summary: 'One question, and its answer if it has one',
    params: questionPath,
    problems: NO_QUESTION,
    response: QuestionRecord,
  }),
  askQuestion: route({
    method: 'POST',
    path: '/api/questions',
    key: 'crew',
    summary: 'Ask; it may be settled at once by a preference, by what is written down or by its default',
    body: NewQuestion,
    problems: { 404: 'There is no such item' },
    response: Asked,
    status: 201,
  }),
  answerQuestion: route({
    method: 'POST',
    path: '/api/questions/:id/answer',
    key: 'owner',
    decides: true,
    summary: 'Answer: an option by its number, its beginning or its words, or words of your own',
    params: questionPath,
    body: decision.extend({ text: z.string().trim().min(1).max(ANSWER_CHARS_MAX) }),
    problems: { ...NO_QUESTION, 409: 'It is over: answered, defaulted or withdrawn' },
    response: QuestionRecord,
  }),
  listPreferences: route({
    method: 'GET',
    path: '/api/preferences',
    key: 'crew',
    summary: 'Answers that are given for you, newest first',
    query: z.strictObject({ limit }),
    response: page(Preference),
  }),
  forgetPreference: route({
    method: 'POST',
    path: '/api/preferences/:id/forget',
    key: 'owner',
    summary: 'Be asked again',
    params: z.strictObject({ id: z.coerce.number().pipe(Positive) }),
    problems: { 404: 'There is no such preference' },
    response: z.strictObject({ forgotten: z.boolean() }),
  }),
} as const
