// One item: what is asked, what was tried and why it went so, what the reviewer says, and what proves the merge.
import type { Answer, Client } from '@treadle/contracts/client'
import type { Conflict } from '@treadle/contracts/conflict'
import type { StoredEvent } from '@treadle/contracts/event'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { keptAttempt, keptWords } from '@treadle/contracts/kept-change'
import type { RevertedBy } from '@treadle/contracts/revert'
import type { Review } from '@treadle/contracts/review'
import type { Run } from '@treadle/contracts/run'
import { usd } from '@treadle/contracts/words/money'
import { blockedWords } from '@treadle/contracts/words/plan'
import { revertedByWords, revertsWords } from '@treadle/contracts/words/revert'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { timeAgo } from '@treadle/contracts/words/time'
import { lazy, Suspense, useCallback } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ReassignDialog } from '../parts/agent-orders.tsx'
import { CriterionLine } from '../parts/criterion.tsx'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { isDelivered } from '../parts/item-actions.model.ts'
import { ItemActions } from '../parts/item-actions.tsx'
import { factsOf } from '../parts/item-facts.model.ts'
import { Problem } from '../parts/problem.tsx'
import { Prose } from '../parts/prose.tsx'
import { hrefOf, QUEUE } from '../parts/route.model.ts'
import { Thread } from '../thread/thread.tsx'
import { EscalationReport } from './explanation.tsx'
import { askedFacts, isEnded, unjudgedWords } from './item.model.ts'
import { Receipt } from './receipt.tsx'
import { ReviewCard } from './review-card.tsx'
import { RunCard } from './run-card.tsx'

const LiveSession = lazy(() =>
  import('../session/live-session.tsx').then((module) => ({ default: module.LiveSession })),
)

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
  // Words and calls of an engine come many times a minute, and change nothing but its session.
  const moved = lastAbout(events.filter(isNoStep), ref)
  // What takes this one back is another item, and says nothing about this one when it moves on.
  const taking = snapshot.items.find(
    ({ reverts, projectNumber: project }) => project === projectNumber && reverts?.number === issueNumber,
  )
  const { answer, problem } = useAnswer(live, ask, `${moved} ${taking?.number} ${taking?.state}`)
  // An answer about the item before is not shown as one about this item.
  const told =
    answer?.item.number === issueNumber && answer.item.projectNumber === projectNumber ? answer : null
  const known = snapshot.items.find(
    (each) => each.projectNumber === projectNumber && each.number === issueNumber,
  )
  const item = newer(told?.item, known)
  if (item === null) return <NotThere item={ref} problem={problem} />
  const all = { item, told, live, snapshot, moved, now }
  return (
    <article className="item-screen" aria-labelledby="item">
      <ItemHead
        item={item}
        runs={told?.runs ?? []}
        cost={told?.costUSD ?? null}
        now={now}
        revertedBy={told?.revertedBy ?? null}
        conflict={
          snapshot.conflicts.find(
            (each) => each.projectNumber === projectNumber && each.issueNumber === issueNumber,
          ) ?? null
        }
      />
      <ItemActions
        key={`${projectNumber}/${issueNumber}`}
        item={item}
        delivered={isDelivered(item, told?.reviews ?? [])}
        reassign={(onClose) => (
          <ReassignDialog
            from={item.claimedByAgentId}
            item={ref}
            live={live}
            snapshot={snapshot}
            onClose={onClose}
          />
        )}
      />
      <div className="item-columns">
        <Work {...all} problem={problem} />
        <Proof {...all} />
      </div>
    </article>
  )
}

/** Takes the newer of two answers about the item. */
function newer(one: Item | undefined, other: Item | undefined): Item | null {
  if (one === undefined || other === undefined) return one ?? other ?? null
  return Date.parse(other.updatedAt) > Date.parse(one.updatedAt) ? other : one
}

function NotThere({ item, problem }: { item: ItemRef; problem: string | null }) {
  return (
    <section aria-labelledby="item">
      <h2 id="item" tabIndex={-1}>
        {itemLabel(item)}
      </h2>
      <p className={problem === null ? 'muted' : 'wrong'} role={problem === null ? 'status' : 'alert'}>
        {problem ?? 'Reading it…'}
      </p>
    </section>
  )
}

type ItemAnswers = Answer<'showItem'> & { readonly reviews: readonly Review[] }

interface ColumnProps {
  readonly item: Item
  /** The daemon's answer about the item; null while there is none. */
  readonly told: ItemAnswers | null
  readonly live: Live
  readonly snapshot: Snapshot
  /** The newest event about the item that is more than a step of an engine. */
  readonly moved: string | null
  readonly now: number
}

/** The left column: what is asked, and what was done about it. */
function Work({ item, told, live, moved, now, problem }: ColumnProps & { problem: string | null }) {
  const newest = told?.runs[0] ?? null
  return (
    <div className="left">
      {newest !== null && isAtWork(item, newest) && (
        <Suspense fallback={<p className="muted">Loading the session…</p>}>
          <LiveSession key={newest.id} run={newest} live={live} />
        </Suspense>
      )}
      {newest !== null && isExplained(item, told?.runs ?? []) && (
        <EscalationReport run={newest} live={live} again={moved} />
      )}
      <ItemText item={item} />
      <section aria-labelledby="runs">
        <div className="section-head">
          <h3 id="runs">Runs</h3>
          <p className="muted">{told === null ? 'Reading them…' : runsWords(told.runs.length)}</p>
        </div>
        <Problem text={problem} />
        {told?.runs.map((run, index) => (
          <RunCard key={run.id} run={run} live={live} initiallyOpen={index === 0} now={now} />
        ))}
      </section>
    </div>
  )
}

/** The right column: the conversation, reviews, and what proves the merge. */
function Proof({ item, told, live, snapshot, moved, now }: ColumnProps) {
  const newest = told?.runs[0] ?? null
  const reviews = told?.reviews ?? []
  return (
    <div className="left">
      {item.mergeCommit !== null && <Receipt item={item} live={live} />}
      <Thread
        item={item}
        run={newest}
        isAtWork={newest !== null && isAtWork(item, newest)}
        reviews={reviews}
        events={told?.events ?? NO_EVENTS}
        questions={snapshot.questions}
        live={live}
        again={moved}
        now={now}
      />
      {reviews.length > 0 && (
        <section aria-labelledby="reviews">
          <h3 id="reviews">Reviews</h3>
          {reviews.map((review, index) => (
            <ReviewCard key={review.id} review={review} live={live} open={index === 0} now={now} />
          ))}
        </section>
      )}
    </div>
  )
}

interface ItemHeadProps {
  readonly item: Item
  readonly runs: readonly Run[]
  readonly cost: number | null
  readonly revertedBy: RevertedBy | null
  /** The conflict that keeps it from being merged; null: none waits. */
  readonly conflict: Conflict | null
  readonly now: number
}

function ItemHead({ item, runs, cost, revertedBy, conflict, now }: ItemHeadProps) {
  const { words, tone } = STATE_WORDS[item.state]
  const blocked = blockedWords(item)
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
        {item.reviewCycles > 0 && (
          <span>{item.reviewCycles === 1 ? 'sent back once' : `sent back ${item.reviewCycles} times`}</span>
        )}
        {cost !== null && <span>{isEnded(item) ? `cost ${usd(cost)}` : `${usd(cost)} so far`}</span>}
        {item.assignedAgentId !== null && <span>kept for {item.assignedAgentId}</span>}
        {item.branch && (
          <span>
            <code>{item.branch}</code>
          </span>
        )}
        <time dateTime={item.createdAt} title={new Date(item.createdAt).toLocaleString()}>
          added {timeAgo(item.createdAt, now)}
        </time>
      </p>
      {blocked !== null && <p className="reason">{blocked}</p>}
      {item.reason && !isExplained(item, runs) && <p className="reason">{item.reason}</p>}
      <KeptLine item={item} runs={runs} />
      <RevertLines item={item} revertedBy={revertedBy} />
      {item.evidence !== null && (
        <p className="reason">
          <EvidenceBadge level={item.evidence.level} /> {item.evidence.why}
        </p>
      )}
      {item.confidence !== null && !isEnded(item) && (
        <p className="reason">
          Confidence: {item.confidence.level}. {item.confidence.why}
        </p>
      )}
      {item.state === 'conflicted' && (
        <p>
          <a
            className="button"
            href={hrefOf(conflict === null ? QUEUE : { is: 'conflicts', id: conflict.id })}
          >
            Resolve the conflict
          </a>
        </p>
      )}
    </div>
  )
}

/** A report of its own says below why it was given up. */
function isExplained({ state }: Item, runs: readonly Run[]): boolean {
  return state === 'escalated' && runs.length > 0
}

/** A change that passes the item's tests and was refused: how it is taken. */
function KeptLine({ item, runs }: Pick<ItemHeadProps, 'item' | 'runs'>) {
  const kept = item.mergeCommit === null ? keptAttempt(runs) : null
  if (kept === null) return null
  return (
    <p className="reason">
      {keptWords(kept)} Take it: <code>treadle take {item.number}</code>
    </p>
  )
}

/** Which merge the item takes back, and which item takes its own back. */
function RevertLines({ item, revertedBy }: Pick<ItemHeadProps, 'item' | 'revertedBy'>) {
  const { projectNumber, reverts } = item
  const to = (number: number) => hrefOf({ is: 'item', item: { projectNumber, number } })
  return (
    <>
      {reverts !== null && (
        <p className="reason">
          Reverts <a href={to(reverts.number)}>{revertsWords(reverts)}</a>
        </p>
      )}
      {revertedBy !== null && (
        <p className="reason">
          Reverted by <a href={to(revertedBy.number)}>{revertedByWords(revertedBy)}</a>
        </p>
      )}
    </>
  )
}

function ItemText({ item }: { item: Item }) {
  const unjudged = unjudgedWords(item)
  return (
    <section aria-labelledby="asked">
      <h3 id="asked">Description</h3>
      <div className="card padded">
        {item.body === '' ? <p className="muted">No description.</p> : <Prose>{item.body}</Prose>}
        {item.acceptance.length > 0 && (
          <ul className="criteria" aria-label="Acceptance criteria">
            {item.acceptance.map(({ text, status }) => (
              <CriterionLine key={text} status={status} text={text} over={item.state === 'done'} />
            ))}
          </ul>
        )}
        {unjudged !== null && <p className="muted">{unjudged}</p>}
        <p className="facts muted asked-facts">
          {askedFacts(item).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
    </section>
  )
}

const NO_EVENTS: readonly StoredEvent[] = []
const STEPS: readonly StoredEvent['event']['type'][] = [
  'run.said',
  'run.began',
  'run.observed',
  'thought.said',
]

function isNoStep({ event }: StoredEvent): boolean {
  return !STEPS.includes(event.type)
}

function isAtWork({ runId }: Item, run: Run): boolean {
  return run.endedAt === null && runId === run.id
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
