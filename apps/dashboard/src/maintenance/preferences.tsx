// Answers that are given for the reader, and how to be asked again.
import type { Client } from '@treadle/contracts/client'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { Problem } from '../parts/problem.tsx'

const ask = (client: Client) => client.listPreferences({ query: {} }).then(revealAll)

export function Preferences({ live, last, now }: { live: Live; last: number; now: number }) {
  const { answer, problem } = useAnswer(live, ask, last)
  return (
    <section aria-labelledby="preferences">
      <div className="section-head">
        <h2 id="preferences">
          Answers given for you {answer && <span className="count">{answer.items.length}</span>}
        </h2>
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <p className="empty">None. Answers that you ask to remember appear here.</p>
      )}
      {answer !== null && answer.items.length > 0 && (
        <ul className="card order-list">
          {answer.items.map(({ id, text, answer: given, learnedAt, used }) => (
            <li key={id} className="order-row">
              <div>
                <p className="order-title">{text}</p>
                <p className="muted">
                  “{given}”, {timeAgo(learnedAt, now)}
                  {used > 0 && `, spared you ${used === 1 ? '1 question' : `${used} questions`} since`}
                </p>
              </div>
              <div className="order-buttons">
                <ActionButton
                  words="Ask me again"
                  label={`Ask me again: ${text}`}
                  action={{
                    key: `forget:${id}`,
                    done: 'You will be asked again.',
                    failed: 'It could not be forgotten.',
                    work: (client) => client.forgetPreference({ params: { id } }),
                  }}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
