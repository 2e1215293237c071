import { z } from 'zod'
import { Duration } from '../question.ts'

/** When people are asked, and what happens if they do not answer. */
export const QuestionsConfig = z.strictObject({
  autonomy: z
    .enum(['ask', 'judgement'])
    .default('ask')
    .describe('judgement: nobody is asked where a default exists'),
  expireAfter: Duration.default('24h').describe(
    'How long a question that holds nobody up waits before its default holds',
  ),
  remindAfter: Duration.nullable()
    .default(null)
    .describe('When somebody is reminded of a question, once; null: after half of expireAfter'),
  celebrate: z.boolean().default(false).describe('Also questions that only mark progress'),
})
export type QuestionsConfig = z.infer<typeof QuestionsConfig>
