// Questions that hold somebody up are shown where nobody can overlook them, in one line.
import type { QuestionRecord } from '@treadle/contracts/question'
import { hrefOf, QUEUE } from '../parts/route.model.ts'

export function BlockingLine({ questions }: { questions: readonly QuestionRecord[] }) {
  const blocking = questions.filter(({ blocking: holds, status }) => holds && status === 'open')
  const [first] = blocking
  if (first === undefined) return null
  const others = blocking.length > 1 ? ` (and ${blocking.length - 1} more)` : ''
  return (
    <p className="banner line" data-tone="attention" role="alert">
      <span className="line-text" dir="auto">
        <strong>{first.agent} is waiting for your answer:</strong> {first.text.split('\n')[0]}
      </span>
      {others} <a href={hrefOf(QUEUE)}>Answer</a>
    </p>
  )
}
