// Questions that hold somebody up are shown where nobody can overlook them, in one line.
import { isOfTalk, type QuestionRecord } from '@treadle/contracts/question'
import { hrefOf, QUEUE } from '../parts/route.model.ts'

interface BlockingLineProps {
  readonly questions: readonly QuestionRecord[]
  /** The first row of the screen shows it already: it is only read out. */
  readonly isShownBelow: boolean
}

export function BlockingLine({ questions, isShownBelow }: BlockingLineProps) {
  const blocking = questions.filter(
    (question) => question.blocking && question.status === 'open' && !isOfTalk(question),
  )
  const [first] = blocking
  if (first === undefined) return null
  const others = blocking.length > 1 ? ` (and ${blocking.length - 1} more)` : ''
  const waits = `${first.agent.charAt(0).toUpperCase()}${first.agent.slice(1)} is waiting for your answer:`
  const [line] = first.text.split('\n')
  if (isShownBelow)
    return (
      <p className="unseen" role="alert">
        {waits} {line}
        {others}
      </p>
    )
  return (
    <p className="banner line" data-tone="attention" role="alert">
      <span className="line-text" dir="auto">
        <strong>{waits}</strong> {line}
      </span>
      {others} <a href={hrefOf(QUEUE)}>Answer</a>
    </p>
  )
}
