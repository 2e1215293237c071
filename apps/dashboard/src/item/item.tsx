// One item: what is asked, what was tried and why it went so, what the reviewer says, and what proves the merge.
import type { Client } from '@treadle/contracts/client'
import type { StoredEvent } from '@treadle/contracts/event'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { timeAgo } from '@treadle/contracts/words/time'
import { useCallback } from 'react'
import { actionOf, factsOf } from '../board/board.model.ts'
import { ItemAction } from '../board/needs-you.tsx'
import { useAsked } from '../live/asked.ts'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Prose } from '../parts/prose.tsx'
import { ReviewCard } from './review-card.tsx'
import { RunCard } from './run-card.tsx'

interface ItemScreenProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly item: ItemRef
  readonly events: readonly StoredEvent[]
  readonly now: number
}

export function ItemScreen({ live, snapshot, item: ref, events, now }: ItemScreenProps) {
  const { projectNumber, number: issueNumber } = ref
  const ask = useCallback(
    async (client: Client) => {
      const [shown, reviews] = await Promise.all([
        client.showItem({ params: { projectNumber, issueNumber } }),
        client.listReviews({ query: { projectNumber, issueNumber } }),
      ])
      return { ...shown, reviews: reviews.items }
    },
    [projectNumber, issueNumber],
  )
  const { answer, problem } = useAsked(live, ask, lastAbout(events, ref))
  // What was answered for the item before is not shown as this one.
  const told =
    answer?.item.number === issueNumber && answer.item.projectNumber === projectNumber ? answer : null
  const known = snapshot.items.find(
    (each) => each.projectNumber === projectNumber && each.number === issueNumber,
  )
  const item = told?.item ?? known ?? null
  if (item === null) {
    return (
      <section aria-labelledby="item">
        <h2 id="item" tabIndex={-1}>
          {itemLabel(ref)}
        </h2>
        <p className={problem === null ? 'muted' : 'wrong'} role={problem === null ? 'status' : 'alert'}>
          {problem ?? 'Reading it…'}
        </p>
      </section>
    )
  }
  return (
    <article className="item-screen" aria-labelledby="item">
      <ItemHead item={item} now={now} />
      <div className="item-columns">
        <div className="left">
          <Asked item={item} />
          <section aria-labelledby="runs">
            <div className="section-head">
              <h3 id="runs">Runs</h3>
              <p className="muted">{told === null ? 'Reading them…' : runsWords(told.runs.length)}</p>
            </div>
            {problem !== null && (
              <p className="wrong" role="alert">
                {problem}
              </p>
            )}
            {told?.runs.map((run, index) => (
              <RunCard key={run.id} run={run} live={live} open={index === 0} now={now} />
            ))}
          </section>
        </div>
        <div className="left">
          {told?.reviews.map((review, index) => (
            <ReviewCard key={review.id} review={review} open={index === 0} now={now} />
          ))}
        </div>
      </div>
    </article>
  )
}

function ItemHead({ item, now }: { item: Item; now: number }) {
  const { words, tone } = STATE_WORDS[item.state]
  const action = actionOf(item)
  return (
    <div className="item-head">
      <h2 id="item" tabIndex={-1}>
        <span className="number">{itemLabel(item)}</span> {item.title}
      </h2>
      <p className="facts muted">
        <span className="badge" data-tone={tone}>
          {words}
        </span>
        {factsOf(item).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {item.reviewCycles > 0 && <span>{`sent back ${item.reviewCycles} times`}</span>}
        {item.branch && (
          <span>
            <code>{item.branch}</code>
          </span>
        )}
        <time dateTime={item.createdAt} title={new Date(item.createdAt).toLocaleString()}>
          added {timeAgo(item.createdAt, now)}
        </time>
      </p>
      {item.reason && <p className="reason">{item.reason}</p>}
      {action && <ItemAction item={item} action={action} />}
    </div>
  )
}

const CRITERION_WORDS = { pending: 'not looked at yet', met: 'met', not_met: 'not met' } as const
const CRITERION_TONES = { pending: 'plain', met: 'good', not_met: 'bad' } as const

function Asked({ item }: { item: Item }) {
  return (
    <section aria-labelledby="asked">
      <h3 id="asked">What is asked</h3>
      <div className="card padded">
        {item.body === '' ? <p className="muted">Nothing but the title.</p> : <Prose>{item.body}</Prose>}
        {item.acceptance.length > 0 && (
          <ul className="criteria" aria-label="Acceptance criteria">
            {item.acceptance.map(({ text, status }) => (
              <li key={text}>
                <span className="badge" data-tone={CRITERION_TONES[status]}>
                  {CRITERION_WORDS[status]}
                </span>{' '}
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function runsWords(count: number): string {
  if (count === 0) return 'Nobody has worked on it yet.'
  return count === 1 ? '1 run' : `${count} runs, newest first`
}

/** The newest event about the item; when there is another, it is read again. */
function lastAbout(events: readonly StoredEvent[], { projectNumber, number }: ItemRef): string | null {
  const event = events.find(
    ({ item }) => item !== null && item.projectNumber === projectNumber && item.number === number,
  )
  return event?.cursor ?? null
}
