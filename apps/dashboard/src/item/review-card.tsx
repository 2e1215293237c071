import type { Review } from '@treadle/contracts/review'
import { timeAgo } from '@treadle/contracts/words/time'
import { Prose } from '../parts/prose.tsx'

const STATUS = {
  pending: { words: 'waits', tone: 'attention' },
  in_review: { words: 'being read', tone: 'busy' },
  approved: { words: 'approved', tone: 'good' },
  rejected: { words: 'sent back', tone: 'bad' },
} as const
const CRITERION = {
  pending: { words: 'open', tone: 'plain' },
  met: { words: 'met', tone: 'good' },
  not_met: { words: 'not met', tone: 'bad' },
} as const

export function ReviewCard({ review, open, now }: { review: Review; open: boolean; now: number }) {
  const { words, tone } = STATUS[review.status]
  return (
    <details className="card run" open={open}>
      <summary>
        <strong>Review {review.cycle}</strong>{' '}
        <span className="badge" data-tone={tone}>
          {words}
        </span>
        <span className="muted"> {timeAgo(review.decidedAt ?? review.completedAt, now)}</span>
      </summary>
      <div className="run-body">
        {review.why && <p className="reason">{review.why}</p>}
        <ul className="criteria" aria-label="Criteria">
          {review.criteria.map(({ id, description, status, note }) => (
            <li key={id}>
              <span className="badge" data-tone={CRITERION[status].tone}>
                {CRITERION[status].words}
              </span>{' '}
              {description}
              {note && <p className="muted">{note}</p>}
            </li>
          ))}
        </ul>
        {review.feedback && <Prose>{review.feedback}</Prose>}
        {review.decidedBy && <p className="muted">Decided by {review.decidedBy}</p>}
      </div>
    </details>
  )
}
