// The queue: reviews, questions, escalations and conflicts that need the reader, each with what can be done about it.
import type { Conflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { type KeyboardEvent, useRef } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { seemsDelivered } from '../parts/item-actions.model.ts'
import { ItemActions } from '../parts/item-actions.tsx'
import { QuestionCard } from '../parts/question-card.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { type Entry, keyMeans, lineOf, queueOf } from './queue.model.ts'

interface QueueProps {
  readonly snapshot: Snapshot
  readonly now: number
}

export function Queue({ snapshot, now }: QueueProps) {
  const list = useRef<HTMLUListElement>(null)
  const entries = queueOf(snapshot)
  const onKey = (event: KeyboardEvent) => {
    const means = isTyping(event.target) ? null : keyMeans(event.key)
    if (means === null || list.current === null) return
    event.preventDefault()
    const rows = [...list.current.children] as HTMLElement[]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    if (means.is === 'move') rows[Math.min(rows.length - 1, Math.max(0, at + means.by))]?.focus()
    else rows[at]?.querySelectorAll<HTMLElement>('.options :is(button, a.button)')[means.option]?.click()
  }
  return (
    <section aria-labelledby="queue" onKeyDown={onKey}>
      <div className="section-head">
        <h2 id="queue" tabIndex={-1}>
          Review <span className="count">{entries.length}</span>
        </h2>
        {entries.length > 0 && (
          <p className="muted keys-hint">
            <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>1</kbd> … <kbd>9</kbd> answer
          </p>
        )}
      </div>
      {entries.length === 0 && (
        <p className="empty">You’re all caught up. Reviews, questions and conflicts show up here.</p>
      )}
      <ul className="queue" ref={list}>
        {entries.map((entry) => (
          <li key={entry.key} className="card entry-card" data-kind={entry.is} tabIndex={-1}>
            {entry.is === 'question' && <QuestionCard question={entry.question} now={now} />}
            {entry.is === 'item' && <ItemEntry entry={entry} item={entry.item} now={now} />}
            {entry.is === 'conflict' && <ConflictEntry entry={entry} conflict={entry.conflict} now={now} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.matches('input, textarea, select')
}

function Head({ entry, now }: { entry: Entry; now: number }) {
  const { kind, tone, title, since, route } = lineOf(entry)
  return (
    <div className="entry-head">
      <span className="badge" data-tone={tone}>
        {kind}
      </span>
      <h3>
        <a href={hrefOf(route)} dir="auto">
          {title}
        </a>
      </h3>
      <TimeAgo at={since} now={now} />
    </div>
  )
}

function ItemEntry({ entry, item, now }: { entry: Entry; item: Item; now: number }) {
  const { evidence, reason } = item
  return (
    <>
      <Head entry={entry} now={now} />
      {reason && (
        <p className="reason clamp" title={reason} dir="auto">
          {reason}
        </p>
      )}
      {evidence !== null && item.state === 'in_review' && (
        <p className="reason">
          <EvidenceBadge level={evidence.level} /> {reason?.includes(evidence.why) ? null : evidence.why}
        </p>
      )}
      <div className="entry-acts">
        <ItemActions item={item} delivered={seemsDelivered(item)} />
      </div>
    </>
  )
}

function ConflictEntry({ entry, conflict, now }: { entry: Entry; conflict: Conflict; now: number }) {
  const { projectNumber, issueNumber, conflictingFiles, why } = conflict
  const label = itemLabel({ projectNumber, number: issueNumber })
  return (
    <>
      <Head entry={entry} now={now} />
      <p className="facts">
        <span>project {projectNumber}</span>
        <span>{conflictingFiles.length === 1 ? '1 file' : `${conflictingFiles.length} files`}</span>
        {conflictingFiles.map((file) => (
          <code key={file}>{file}</code>
        ))}
      </p>
      <p className="reason clamp" title={why} dir="auto">
        {why}
      </p>
      <div className="options">
        <a className="button" href={hrefOf({ is: 'conflicts', id: conflict.id })}>
          Resolve<span className="unseen"> the conflict of {label}</span>
        </a>
      </div>
    </>
  )
}
