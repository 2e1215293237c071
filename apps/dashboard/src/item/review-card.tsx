// A review of a delivery: its checks, its criteria, who judged it and how.
import type { Review } from '@treadle/contracts/review'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { Fold } from '../parts/fold.tsx'
import { Prose } from '../parts/prose.tsx'
import { CriterionLine } from './criterion.tsx'
import { GateList } from './gate-list.tsx'

const STATUS = {
  pending: { words: 'waits', tone: 'attention' },
  in_review: { words: 'being read', tone: 'busy' },
  approved: { words: 'approved', tone: 'good' },
  rejected: { words: 'sent back', tone: 'bad' },
} as const

interface ReviewProps {
  readonly review: Review
  readonly live: Live
  readonly open: boolean
  readonly now: number
}

export function ReviewCard({ review, live, open, now }: ReviewProps) {
  const { words, tone } = STATUS[review.status]
  return (
    <Fold
      className="card run"
      initiallyOpen={open}
      summary={
        <>
          <strong>Review {review.cycle}</strong>{' '}
          <span className="badge" data-tone={tone}>
            {words}
          </span>
          <span className="muted"> {timeAgo(review.decidedAt ?? review.completedAt, now)}</span>
        </>
      }
    >
      <div className="run-body">
        {review.why && <p className="reason">{review.why}</p>}
        {review.evidence && (
          <p>
            <EvidenceBadge level={review.evidence.level} /> {review.evidence.why}
          </p>
        )}
        <ul className="criteria" aria-label="Criteria">
          {review.criteria.map(({ id, description, status, note }) => (
            <CriterionLine
              key={id}
              status={status}
              text={description}
              over={review.decidedAt !== null}
              note={note}
            />
          ))}
        </ul>
        {review.feedback && <Prose>{review.feedback}</Prose>}
        {review.checks.length > 0 && (
          <details>
            <summary>Its checks, in a clean checkout</summary>
            <GateList gates={review.checks} live={live} on={`in review ${review.cycle}`} />
          </details>
        )}
        {review.decidedBy && <p className="muted">Decided by {review.decidedBy}</p>}
      </div>
    </Fold>
  )
}
