// The part about questions that goes into the system prompt of every agent.
import { promptText } from '@treadle/context/prompt-text'
import { blocksByDefault, QuestionType } from '@treadle/contracts/question'

const types = QuestionType.options

// The type names all six, so that an agent that repeats its instructions has not asked anything.
export const QUESTIONING_MODULE = promptText('questions', {
  types: types.join('|'),
  blocking: types.filter(blocksByDefault).join('|'),
})
