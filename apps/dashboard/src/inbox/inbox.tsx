// The inbox: questions, escalations, reviews and conflicts that wait for the reader, each answered where it stands.
import type { Conflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { timeAgo } from '@treadle/contracts/words/time'
import { type KeyboardEvent, useRef } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { ActionButton } from '../parts/actions.tsx'
import { seemsDelivered } from '../parts/item-actions.model.ts'
import { ItemActions } from '../parts/item-actions.tsx'
import { QuestionCard } from '../parts/question-card.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { entriesOf, keyMeans } from './inbox.model.ts'

interface InboxProps {
  readonly snapshot: Snapshot
  /** Items that only a person can move on. */
  readonly needing: readonly Item[]
  readonly now: number
}

export function Inbox({ snapshot, needing, now }: InboxProps) {
  const list = useRef<HTMLUListElement>(null)
  const entries = entriesOf({ questions: snapshot.questions, items: needing, conflicts: snapshot.conflicts })
  const onKey = (event: KeyboardEvent) => {
    const means = isTyping(event.target) ? null : keyMeans(event.key)
    if (means === null || list.current === null) return
    event.preventDefault()
    const rows = [...list.current.children] as HTMLElement[]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    if (means.is === 'move') rows[Math.min(rows.length - 1, Math.max(0, at + means.by))]?.focus()
    else rows[at]?.querySelectorAll<HTMLButtonElement>('.options button')[means.option]?.click()
  }
  return (
    <section aria-labelledby="inbox" onKeyDown={onKey}>
      <div className="section-head">
        <h2 id="inbox" tabIndex={-1}>
          Inbox <span className="count">{entries.length}</span>
        </h2>
        {entries.length > 0 && (
          <p className="muted">
            <kbd>j</kbd> and <kbd>k</kbd> move, a number answers with that option
          </p>
        )}
      </div>
      {entries.length === 0 && (
        <p className="empty">Nothing waits for you. Questions, reviews and conflicts appear here at once.</p>
      )}
      <ul className="inbox" ref={list}>
        {entries.map((entry) => (
          <li key={entry.key} className="card entry-card" tabIndex={-1}>
            {entry.is === 'question' && <QuestionCard question={entry.question} now={now} />}
            {entry.is === 'item' && <ItemEntry item={entry.item} now={now} />}
            {entry.is === 'conflict' && <ConflictEntry conflict={entry.conflict} now={now} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function isTyping(target: EventTarget): boolean {
  return target instanceof Element && target.matches('input, textarea, select')
}

function ItemEntry({ item, now }: { item: Item; now: number }) {
  const { words, tone } = STATE_WORDS[item.state]
  const ref = { projectNumber: item.projectNumber, number: item.number }
  return (
    <>
      <p className="facts">
        <span className="badge" data-tone={tone}>
          {words}
        </span>
        <span>{timeAgo(item.updatedAt, now)}</span>
      </p>
      <h3>
        <a href={hrefOf({ is: 'item', item: ref })}>
          {itemLabel(item)} {item.title}
        </a>
      </h3>
      {item.reason && <p className="reason">{item.reason}</p>}
      <ItemActions item={item} delivered={seemsDelivered(item)} />
    </>
  )
}

function ConflictEntry({ conflict, now }: { conflict: Conflict; now: number }) {
  const label = itemLabel({ projectNumber: conflict.projectNumber, number: conflict.issueNumber })
  const params = { id: conflict.id }
  return (
    <>
      <p className="facts">
        <span className="badge" data-tone="bad">
          Conflict
        </span>
        <span>{timeAgo(conflict.createdAt, now)}</span>
      </p>
      <h3>
        <a href={hrefOf({ is: 'conflicts', id: conflict.id })}>
          {label} {conflict.issueTitle}
        </a>
      </h3>
      <p className="reason">{conflict.why}</p>
      <p>
        Both sides changed{' '}
        {conflict.conflictingFiles.map((file) => (
          <code key={file}>{file} </code>
        ))}
        Resolve it on <code>{conflict.branchName}</code>, then say so.
      </p>
      <div className="options">
        <ActionButton
          words="Mark resolved"
          label={`Mark resolved the conflict of ${label}`}
          action={{
            key: `resolve:${conflict.id}`,
            done: `The merge of ${label} goes on.`,
            failed: `${label} is not resolved.`,
            work: (client) => client.resolveConflict({ params, body: {} }),
          }}
        />
        <ActionButton
          words="Give it back to the queue"
          label={`Give it back to the queue: ${label}`}
          action={{
            key: `abort:${conflict.id}`,
            done: `${label} is back in the queue.`,
            failed: `${label} could not be given back.`,
            work: (client) => client.abortConflict({ params, body: {} }),
          }}
        />
      </div>
    </>
  )
}
