// A question as the owner is told of it: the words, the options as commands, and what happens without an answer. Pure.
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { NewNotification, NextStep } from '@treadle/contracts/notification'
import type { QuestionRecord } from '@treadle/contracts/question'
import { clean, cut, step } from './words.ts'

/** Of the question as it is kept; null where it is not. */
export type AskedFacts = Pick<
  QuestionRecord,
  'context' | 'options' | 'allowFreeText' | 'defaultOption' | 'dueAt'
> | null

export interface Asking {
  readonly id: string
  readonly number: number
  readonly blocking: boolean
  readonly text: string
  /** Null: it is a reminder. */
  readonly agent: string | null
  readonly item: ItemRef | null
}

const OPTIONS_MAX = 7
const LABEL_MAX = 150
const TEXT_MAX = 900
const CONTEXT_MAX = 400

export function questionNotice(asking: Asking, facts: AskedFacts): Omit<NewNotification, 'item'> {
  const { id, number, blocking, text, agent, item } = asking
  const about = item === null ? '' : ` about ${itemLabel(item)}`
  const first = `${clean(agent ?? '')} ${blocking ? 'waits for your answer' : 'has a question'}${about}`
  return {
    type: agent === null ? 'question.reminded' : 'question.asked',
    subject: `question ${id}`,
    level: blocking ? 'warning' : 'info',
    title: agent === null ? `Still waiting for your answer${about}` : first,
    text: [
      cut(clean(text), TEXT_MAX),
      cut(clean(facts?.context ?? ''), CONTEXT_MAX),
      withoutAnswer(blocking, facts),
    ]
      .filter((part) => part !== '')
      .join('\n'),
    nextSteps: [
      ...optionSteps(number, facts),
      ...(facts === null || facts.allowFreeText || facts.options.length === 0
        ? [step('Answer in your own words', `treadle answer ${number} "…"`)]
        : []),
      step('See every question that is open', 'treadle questions'),
    ],
    blocking,
    questionId: id,
  }
}

function optionSteps(number: number, facts: AskedFacts): NextStep[] {
  const options = facts?.options ?? []
  const labels = options.map(({ label }) => label)
  return options.slice(0, OPTIONS_MAX).map(({ label, recommended }, index) => {
    const shown = `${cut(clean(label), LABEL_MAX)}${recommended ? ' (recommended)' : ''}`
    return step(shown, ['treadle answer', number, ...answerFor(labels, index)].join(' '))
  })
}

/** What chooses the option: its number, with words where it wants to be continued. None: the command asks. */
function answerFor(labels: readonly string[], index: number): string[] {
  const label = labels[index] ?? ''
  // Where options are numbers themselves, a number is nobody's place.
  if (labels.some((each) => /^\d+$/.test(each))) return /^[\w-]+$/.test(label) ? [label] : []
  return /(\.\.\.|…)$/.test(label) ? [`"${index + 1}: …"`] : [String(index + 1)]
}

function withoutAnswer(blocking: boolean, facts: AskedFacts): string {
  if (blocking) return 'The work waits until you answer.'
  if (facts === null || facts.dueAt === null || facts.defaultOption === undefined) return ''
  return `Without an answer by ${facts.dueAt}: ${cut(clean(facts.defaultOption), LABEL_MAX)}`
}
