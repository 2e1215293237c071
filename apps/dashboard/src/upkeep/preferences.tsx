// Answers that are given for the reader, and how to be asked again.
import type { Client } from '@treadle/contracts/client'
import { timeAgo } from '@treadle/contracts/words/time'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { ActionButton } from '../parts/acting.tsx'
import { Problem } from '../parts/problem.tsx'

const ask = (client: Client) => client.listPreferences({ query: {} }).then(revealAll)

export function Preferences({ live, last, now }: { live: Live; last: number; now: number }) {
  const { answer, problem } = useAsked(live, ask, last)
  return (
    <section aria-labelledby="preferences">
      <div className="section-head">
        <h2 id="preferences">
          Answers given for you {answer && <span className="count">{answer.items.length}</span>}
        </h2>
      </div>
      <Problem text={problem} />
      {answer?.items.length === 0 && (
        <p className="empty">None. What you answer for good is remembered, and shown here.</p>
      )}
      {answer !== null && answer.items.length > 0 && (
        <ul className="card deeds">
          {answer.items.map(({ id, text, answer: given, learnedAt, used }) => (
            <li key={id} className="deed">
              <div>
                <p className="deed-title">{text}</p>
                <p className="muted">
                  “{given}”, {timeAgo(learnedAt, now)}
                  {used > 0 && `, spared you ${used === 1 ? '1 question' : `${used} questions`} since`}
                </p>
              </div>
              <div className="deed-does">
                <ActionButton
                  words="Ask me again"
                  label={`Ask me again: ${text}`}
                  deed={{
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
