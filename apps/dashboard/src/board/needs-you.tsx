// Items that only the reader can move on, above the crew.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useState } from 'react'
import type { Workspace } from '../live/live.model.ts'
import { ActionButton, type PageAction } from '../parts/actions.tsx'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { factsOf } from '../parts/item-facts.model.ts'
import { hrefOf } from '../parts/route.model.ts'
import { type Action, actionOf, type Group, shorten } from './board.model.ts'

const REASON_SHOWN = 300

export function NeedsYou({ group, workspace }: { group: Group; workspace: Workspace }) {
  return (
    <section className="needs-you" aria-labelledby={group.id}>
      <div className="section-head">
        <h2 id={group.id} tabIndex={-1}>
          {group.title} <span className="count">{group.items.length}</span>
        </h2>
      </div>
      <ul className="card items">
        {group.items.map((item) => (
          <ItemRow key={`${item.projectNumber}/${item.number}`} item={item} workspace={workspace} />
        ))}
      </ul>
    </section>
  )
}

function ItemRow({ item, workspace }: { item: Item; workspace: Workspace }) {
  const { words, tone } = STATE_WORDS[item.state]
  const action = actionOf(item)
  const ref = { projectNumber: item.projectNumber, number: item.number }
  return (
    <li className="item">
      <span className="number">{itemLabel(item)}</span>
      <div className="what">
        <p className="title">
          <a href={hrefOf({ is: 'item', item: ref })}>{item.title}</a>
        </p>
        {item.reason && <Reason text={item.reason} />}
        {item.state === 'in_review' && <EvidenceOf item={item} />}
        {item.state === 'in_review' && item.branch && (
          <p className="reason">
            See the change: <code>{`git diff ${workspace.target}...${item.branch}`}</code>
          </p>
        )}
      </div>
      <div className="standing">
        <p className="facts">
          {factsOf(item).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <span className="badge" data-tone={tone}>
          {words}
        </span>
      </div>
      {action && <ItemAction item={item} action={action} />}
    </li>
  )
}

/** What bears the change out, to be read before it is approved; once, where the reason says it already. */
function EvidenceOf({ item: { evidence, reason } }: { item: Item }) {
  if (evidence === null) return null
  return (
    <p className="reason">
      <EvidenceBadge level={evidence.level} /> {reason?.includes(evidence.why) ? null : evidence.why}
    </p>
  )
}

function Reason({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const shown = all ? text : shorten(text, REASON_SHOWN)
  return (
    <p className="reason">
      {shown}
      {shown !== text && (
        <button type="button" onClick={() => setAll(true)}>
          Show all
        </button>
      )}
    </p>
  )
}

const ACTION_WORDS = {
  approve: { words: 'Approve', busy: 'Approving…', done: 'was approved', failed: 'approved' },
  reopen: { words: 'Reopen', busy: 'Reopening…', done: 'is back in the queue', failed: 'reopened' },
} as const satisfies Record<Action, unknown>

function ItemAction({ item, action }: { item: Item; action: Action }) {
  const { words, busy, done, failed } = ACTION_WORDS[action]
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const request: PageAction = {
    key: `${action}:${item.projectNumber}/${item.number}`,
    done: `${itemLabel(item)} ${done}.`,
    failed: `${itemLabel(item)} could not be ${failed}.`,
    work: (client) =>
      action === 'approve'
        ? client.approveItem({ params, body: item.headCommit === null ? {} : { head: item.headCommit } })
        : client.reopenItem({ params, body: {} }),
  }
  return (
    <ActionButton
      words={words}
      busyWords={busy}
      label={`${words} ${itemLabel(item)} ${item.title}`}
      className={action === 'approve' ? 'action primary' : 'action'}
      action={request}
    />
  )
}
