// Conflicts that are predicted: branches at work, held against each other.
import type { Client } from '@treadle/contracts/client'
import type { PredictedConflict } from '@treadle/contracts/conflict'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { revealAll } from '../live/reveal.model.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { filesWords, linesWords, sideName } from './conflicts.model.ts'

const predicted = (client: Client) => client.predictedConflicts().then(revealAll)

/** Branches that would not merge; nothing is shown while there are none. */
export function PredictedConflicts({ live, last, now }: { live: Live; last: number; now: number }) {
  const { answer, problem } = useAnswer(live, predicted, last)
  if (problem === null && (answer === null || answer.items.length === 0)) return null
  return (
    <section aria-labelledby="predicted">
      <div className="section-head">
        <h2 id="predicted">
          Predicted conflicts {answer && <span className="count">{answer.items.length}</span>}
        </h2>
        <p className="muted">These branches would not merge as they are now.</p>
      </div>
      <Problem text={problem} />
      <ul className="conflicts">
        {answer?.items.map((pair) => (
          <PredictedCard key={`${pair.one.branch} ${pair.other.branch}`} pair={pair} now={now} />
        ))}
      </ul>
    </section>
  )
}

function PredictedCard({
  pair: { one, other, files, since },
  now,
}: {
  pair: PredictedConflict
  now: number
}) {
  return (
    <li className="card padded conflict">
      <p className="facts">
        <span className="badge" data-tone="attention">
          Predicted
        </span>
        <span>{filesWords(files.length)}</span>
        <span>{timeAgo(since, now)}</span>
      </p>
      <h3>
        {[one, other].map((side, at) => (
          <span key={side.branch}>
            {at === 1 && ' and '}
            {side.item === null ? (
              sideName(side)
            ) : (
              <a href={hrefOf({ is: 'item', item: side.item })}>{sideName(side)}</a>
            )}
          </span>
        ))}
      </h3>
      <ul>
        {files.map(({ path, lines }) => (
          <li key={path}>
            <code>{path}</code> <span className="muted">{linesWords(lines)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}
