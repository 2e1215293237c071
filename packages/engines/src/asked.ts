// Questions that a model has written into its answer: put to people, and what is said back to the model.

import type { NewQuestion } from '@treadle/contracts/question'
import type { EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { questionsIn } from '@treadle/questions/parse'

/** How often one turn is gone on with because of questions in its answer. */
export const ROUNDS_MAX = 10
const TITLE_MAX = 2_000

type Ask = (question: Omit<EngineQuestion, 'id'>) => Promise<EngineAnswer>

/** The words that the model is to be told next; null: it has asked nothing, and its answer is its answer. */
export async function replyTo(text: string, ask: Ask): Promise<string | null> {
  // Who asks is known to whoever keeps the question.
  const found = questionsIn(text, { agent: 'engine' })
  const replies: string[] = []
  for (const each of found) {
    if (each.is === 'broken')
      replies.push(`A question in your answer could not be read: ${each.why}. Write it again, or go on.`)
    else replies.push(answerWords(each.question, await ask(questionOf(each.question))))
  }
  return replies.length === 0 ? null : replies.join('\n\n')
}

function questionOf(asked: NewQuestion): Omit<EngineQuestion, 'id'> {
  const { type, text, context, options, allowFreeText, defaultOption, tags } = asked
  return {
    kind: options.length === 0 ? 'guidance' : 'choice',
    title: text.slice(0, TITLE_MAX),
    options: options.map(({ label }) => label),
    detail: {
      type,
      context,
      choices: options,
      allowFreeText,
      ...(defaultOption === undefined ? {} : { defaultOption }),
      blocking: isWaiting(asked),
      tags,
    },
  }
}

function isWaiting({ type, blocking }: NewQuestion): boolean {
  return blocking ?? type === 'blocking'
}

function answerWords(asked: NewQuestion, { text }: EngineAnswer): string {
  const question = `You asked: ${asked.text}`
  if (isWaiting(asked))
    return text === ''
      ? `${question}\nNobody can be asked. Decide yourself, and go on.`
      : `${question}\nThe answer: ${text}\nGo on with it.`
  const meanwhile = asked.defaultOption === undefined ? '' : ` Until then this holds: ${asked.defaultOption}.`
  return `${question}\nIt was passed on; you will hear of an answer.${meanwhile} Go on with your work. If it is done, say so.`
}
