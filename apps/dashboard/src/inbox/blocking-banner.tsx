// Questions that hold somebody up are shown where nobody can overlook them.
import type { QuestionRecord } from '@treadle/contracts/question'
import { hrefOf } from '../parts/route.model.ts'

export function BlockingBanner({ questions }: { questions: readonly QuestionRecord[] }) {
  const blocking = questions.filter(({ blocking: holds, status }) => holds && status === 'open')
  const [first] = blocking
  if (first === undefined) return null
  const others = blocking.length > 1 ? ` And ${blocking.length - 1} more.` : ''
  return (
    <p className="banner" data-tone="attention" role="alert">
      <strong>{first.agent} waits for your answer:</strong> {first.text.split('\n')[0]}
      {others} <a href={hrefOf({ is: 'inbox' })}>Answer in the inbox</a>
    </p>
  )
}
