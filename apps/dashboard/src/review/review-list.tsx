// Reviews that wait, one line each.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { timeAgo } from '@treadle/contracts/words/time'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { isSame } from './waiting.model.ts'

interface ReviewListProps {
  readonly waiting: readonly Item[]
  readonly at: { readonly projectNumber: number; readonly number: number }
  readonly now: number
}

export function ReviewList({ waiting, at, now }: ReviewListProps) {
  return (
    <nav className="review-list" aria-label="Waiting reviews">
      <p className="review-list-head">
        Waiting <span className="count">{waiting.length}</span>
      </p>
      {waiting.length === 0 && <p className="muted">No other review waits for you.</p>}
      <ul>
        {waiting.map((item) => {
          const ref = { projectNumber: item.projectNumber, number: item.number }
          return (
            <li key={itemLabel(ref)}>
              <a
                href={hrefOf({ is: 'review', item: ref })}
                aria-current={isSame(item, at) ? 'page' : undefined}
              >
                <span className="review-list-title">
                  <span className="number">{itemLabel(ref)}</span> {item.title}
                </span>
                <span className="review-list-facts">
                  {item.evidence && <EvidenceBadge level={item.evidence.level} />}
                  <span className="muted">{timeAgo(item.updatedAt, now)}</span>
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
