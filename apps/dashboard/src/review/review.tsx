// The review workspace: what waits on the left, the change in the middle, why to trust it on the right.
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useCallback, useEffect, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { hrefOf } from '../parts/route.model.ts'
import { DeliveryReview } from './delivery-review.tsx'
import { ReviewList } from './review-list.tsx'
import { isSame, nextAfter, waitingReviews } from './waiting.model.ts'
import './review.css'
import './trust.css'

interface ReviewScreenProps {
  readonly live: Live
  readonly snapshot: Snapshot
  /** Items that only a person can move on. */
  readonly needing: readonly Item[]
  readonly item: ItemRef
  readonly now: number
}

const TOAST_MS = 8_000

export function ReviewScreen({ live, snapshot, needing, item: ref, now }: ReviewScreenProps) {
  const [toast, setToast] = useState<string | null>(null)
  const waiting = waitingReviews(needing)
  const item = snapshot.items.find((each) => isSame(each, ref)) ?? null
  useEffect(() => {
    if (toast === null) return
    const timer = setTimeout(() => setToast(null), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast])
  const openNext = (done: string | null) => {
    const next = nextAfter(waiting, ref)
    if (next !== null) location.hash = hrefOf({ is: 'review', item: refOf(next) })
    const then = next === null ? 'Nothing else waits for review.' : `Next: ${itemLabel(next)} ${next.title}`
    setToast(done === null ? then : `${done} ${then}`)
  }
  return (
    <div className="review">
      <ReviewList waiting={waiting} at={ref} now={now} />
      <div className="review-main">
        {item === null ? (
          <p className="empty">{itemLabel(ref)} is not among the items that are shown here.</p>
        ) : (
          <OneReview key={itemLabel(ref)} live={live} item={item} onNext={openNext} onSay={setToast} />
        )}
      </div>
      <p className="toast" role="status" data-shown={toast !== null}>
        {toast}
      </p>
    </div>
  )
}

interface OneReviewProps {
  readonly live: Live
  readonly item: Item
  readonly onNext: (done: string | null) => void
  readonly onSay: (words: string) => void
}

/** The delivery that is shown stays until the reader wants the newer one: nothing changes under their eyes. */
function OneReview({ live, item, onNext, onSay }: OneReviewProps) {
  const [since, setSince] = useState<number | null>(null)
  const [asked, setAsked] = useState(0)
  const { projectNumber, number: issueNumber } = item
  const ask = useCallback(
    async (client: Live['client']) => {
      const query = { projectNumber, issueNumber, limit: 1 }
      const [latest] = (await client.listReviews({ query })).items
      if (latest === undefined) return { change: null }
      const wanted = since === null || since >= latest.cycle ? {} : { query: { since } }
      return { change: await client.showChange({ params: { id: latest.id }, ...wanted }) }
    },
    [projectNumber, issueNumber, since],
  )
  const askReview = useCallback(
    async (client: Live['client']) =>
      (await client.listReviews({ query: { projectNumber, issueNumber, limit: 5 } })).items,
    [projectNumber, issueNumber],
  )
  const { answer, problem } = useAnswer(live, ask, asked)
  const reviews = useAnswer(live, askReview, `${item.updatedAt} ${asked}`).answer
  const change = answer?.change ?? null
  const { words, tone } = STATE_WORDS[item.state]
  return (
    <>
      <header className="review-head">
        <h2 tabIndex={-1}>
          <a href={hrefOf({ is: 'item', item: refOf(item) })}>{itemLabel(item)}</a> {item.title}
        </h2>
        <p className="facts">
          <span className="badge" data-tone={tone}>
            {words}
          </span>
          {change !== null && (
            <span>
              Delivery {change.review.cycle} by {change.review.completedByAgentId}
            </span>
          )}
          {change !== null && <code>{change.head.slice(0, 8)}</code>}
        </p>
      </header>
      {problem !== null && (
        <p className="banner" data-tone="bad" role="alert">
          {problem}
        </p>
      )}
      {answer === null && problem === null && <p className="muted">Reading the change…</p>}
      {answer !== null && change === null && <p className="empty">Nothing has been delivered yet.</p>}
      {change !== null && change.head !== item.headCommit && item.headCommit !== null && (
        <div className="banner said" data-tone="attention" role="alert">
          <p>
            <strong>There is a newer delivery.</strong> What you see is delivery {change.review.cycle}; it can
            no longer be approved.
          </p>
          <button type="button" onClick={() => setAsked(asked + 1)}>
            Show the newer one
          </button>
        </div>
      )}
      {change !== null && (
        <DeliveryReview
          key={`${change.head} ${change.since?.cycle}`}
          live={live}
          item={item}
          change={change}
          review={reviews?.find(({ id }) => id === change.review.id) ?? change.review}
          onSince={setSince}
          onNext={onNext}
          onSay={onSay}
        />
      )}
    </>
  )
}

function refOf({ projectNumber, number }: Item): ItemRef {
  return { projectNumber, number }
}
