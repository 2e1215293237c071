// Questions and answers in words for people.
import type { AnswerSource, QuestionAnswer } from '../question.ts'

export const ANSWER_WORDS: { readonly [S in AnswerSource]: string } = {
  person: 'answered by a person',
  default: 'nobody answered in time',
  preference: 'as you preferred before',
  judgement: 'the agent was told to use its judgement',
  context: 'the repository or the item says so',
  repeated: 'as it was answered before in this session',
}

/** A person's name only where a person has answered. */
export function answeredBy({ how, by }: Pick<QuestionAnswer, 'how' | 'by'>): string {
  return how === 'person' ? by : `by the system: ${ANSWER_WORDS[how]}`
}
