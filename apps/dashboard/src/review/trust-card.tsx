// Why a delivery may be trusted, beside its change: what was checked, what was not, and what was asked for before.
import type { TracedComment } from '@treadle/contracts/delivery'
import type { Review } from '@treadle/contracts/review'
import type { Live } from '../live/live.ts'
import { revealed } from '../live/unseen-characters.model.ts'
import { CriterionLine } from '../parts/criterion.tsx'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { GateList } from '../parts/gate-list.tsx'
import { shownName } from './change.model.ts'
import { commentKey, FATE_WORDS } from './marks.model.ts'
import {
  criteriaBeside,
  criteriaWords,
  otherFindings,
  placesToRead,
  type TrustLine,
  trustLines,
} from './trust.model.ts'

interface TrustCardProps {
  readonly review: Review
  readonly live: Live
  readonly comments: readonly TracedComment[]
  readonly ticked: readonly string[]
  readonly onTick: (key: string) => void
  readonly onOpen: (path: string) => void
}

const MARKS: Record<TrustLine['tone'], string> = { good: '✓', bad: '✗', attention: '!', plain: '–' }

export function TrustCard({ review, live, comments, ticked, onTick, onOpen }: TrustCardProps) {
  const { evidence, checks, checkedAt } = review
  const criteria = criteriaBeside(review, comments)
  const places = placesToRead(review)
  return (
    <section className="card trust" aria-labelledby="trust">
      <h3 id="trust">Why trust it?</h3>
      {evidence !== null && (
        <p>
          <EvidenceBadge level={evidence.level} /> {revealed(evidence.why)}
        </p>
      )}
      {evidence === null && (
        <p className="muted">{checkedAt === null ? 'The checks have not run yet.' : 'No evidence level.'}</p>
      )}
      {review.why !== null && <p className="reason">{revealed(review.why)}</p>}
      <ul className="trust-lines">
        {[...trustLines(review), ...otherFindings(review)].map(({ name, tone, words }) => (
          <li key={name} data-tone={tone}>
            <span className="trust-mark" aria-hidden="true">
              {MARKS[tone]}
            </span>
            <span>
              <strong>{name}</strong> <span className="muted">{revealed(words)}</span>
            </span>
          </li>
        ))}
      </ul>
      {places.length > 0 && (
        <>
          <h4>Read these places</h4>
          <ul className="trust-places">
            {places.map(({ file, line, words }) => (
              <li key={`${file} ${line} ${words}`}>
                <button type="button" className="as-link" onClick={() => onOpen(file)}>
                  {shownName(file)}
                  {line === null ? '' : `:${line}`}
                </button>{' '}
                {revealed(words)}
              </li>
            ))}
          </ul>
        </>
      )}
      {comments.length > 0 && (
        <AskedBefore comments={comments} ticked={ticked} onTick={onTick} onOpen={onOpen} />
      )}
      <h4>Acceptance criteria</h4>
      <p className="muted">{criteriaWords(criteria)}</p>
      <ul className="criteria" aria-label="Acceptance criteria">
        {criteria.map(({ id, description, status, note }) => (
          <CriterionLine
            key={id}
            status={status}
            text={revealed(description)}
            over={review.decidedAt !== null}
            note={note}
          />
        ))}
      </ul>
      {checks.length > 0 && (
        <details>
          <summary>All checks and their output</summary>
          <GateList gates={checks} live={live} on={`in review ${review.cycle}`} />
        </details>
      )}
    </section>
  )
}

type AskedProps = Pick<TrustCardProps, 'comments' | 'ticked' | 'onTick' | 'onOpen'>

/** What became of a line is computed; whether that is enough only the reader can say. */
function AskedBefore({ comments, ticked, onTick, onOpen }: AskedProps) {
  return (
    <>
      <h4>Changes you asked for</h4>
      <ul className="asked" aria-label="Changes you asked for">
        {comments.map((comment) => {
          const key = commentKey(comment)
          const { words, tone } = FATE_WORDS[comment.fate]
          return (
            <li key={key}>
              <label>
                <input type="checkbox" checked={ticked.includes(key)} onChange={() => onTick(key)} />{' '}
                {revealed(comment.text)}
              </label>
              <p>
                <span className="badge" data-tone={tone}>
                  {words}
                </span>{' '}
                <button type="button" className="as-link" onClick={() => onOpen(comment.path)}>
                  {shownName(comment.path)}:{comment.lineNow ?? comment.line}
                </button>
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
}
