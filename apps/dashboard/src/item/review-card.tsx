// A review of a delivery: its checks, its criteria, who judged it and how.
import type { Review } from '@treadle/contracts/review'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Live } from '../live/live.ts'
import { CriterionLine } from '../parts/criterion.tsx'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { Fold } from '../parts/fold.tsx'
import { GateList } from '../parts/gate-list.tsx'
import { Prose } from '../parts/prose.tsx'

const STATUS = {
  pending: { words: 'waits', tone: 'attention' },
  in_review: { words: 'being read', tone: 'busy' },
  approved: { words: 'approved', tone: 'good' },
  rejected: { words: 'changes requested', tone: 'bad' },
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
        <Criteria review={review} label="Criteria" asked={false} />
        <Criteria review={review} label="Changes requested before" asked={true} />
        {review.feedback && <Prose>{review.feedback}</Prose>}
        {review.checks.length > 0 && (
          <details>
            <summary>Checks in a clean checkout</summary>
            <GateList gates={review.checks} live={live} on={`in review ${review.cycle}`} />
          </details>
        )}
        {review.decidedBy && <p className="muted">Decided by {review.decidedBy}</p>}
      </div>
    </Fold>
  )
}

interface CriteriaProps {
  readonly review: Review
  readonly label: string
  /** What was asked for with a send-back, or what the item itself asks. */
  readonly asked: boolean
}

function Criteria({ review, label, asked }: CriteriaProps) {
  const criteria = review.criteria.filter(({ askedIn }) => (askedIn !== undefined) === asked)
  if (criteria.length === 0) return null
  return (
    <>
      {asked && <p className="muted">{label}</p>}
      <ul className="criteria" aria-label={label}>
        {criteria.map(({ id, description, status, note }) => (
          <CriterionLine
            key={id}
            status={status}
            text={description}
            over={review.decidedAt !== null}
            note={note}
          />
        ))}
      </ul>
    </>
  )
}
