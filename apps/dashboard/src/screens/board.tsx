// What do they need from me, and where does everything stand?
import { ApiError } from '@treadle/contracts/client'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { shortCommit } from '@treadle/contracts/words/event'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useState } from 'react'
import type { Workspace } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { type Action, actionOf, factsOf, type Group, isEnded, shorten } from './board.model.ts'
import { Command } from './notices.tsx'

/** Ended items are many; this many are shown until the reader asks for all. */
const ENDED_SHOWN = 8
const REASON_SHOWN = 300

interface Shared {
  readonly workspace: Workspace
  readonly live: Live
  /** `problem` says in words why the daemon did not do it. */
  readonly onActed: (item: Item, action: Action, problem: string | null) => void
}

export function NeedsYou({ group, ...shared }: Shared & { group: Group }) {
  return (
    <section className="needs-you" aria-labelledby={group.id}>
      <div className="section-head">
        <h2 id={group.id} tabIndex={-1}>
          {group.title} <span className="count">{group.items.length}</span>
        </h2>
      </div>
      <Items group={group} items={group.items} {...shared} />
    </section>
  )
}

export function Board({ groups, empty, ...shared }: Shared & { groups: readonly Group[]; empty: boolean }) {
  return (
    <section aria-labelledby="board">
      <div className="section-head">
        <h2 id="board" tabIndex={-1}>
          Board
        </h2>
        <p className="muted">
          {groups.map(({ title, items }) => `${items.length} ${title.toLowerCase()}`).join(', ')}
        </p>
      </div>
      {empty && (
        <div className="empty">
          <p>There is no work yet. To add an item, run in your repository</p>
          <Command>{'treadle add "What is to be done"'}</Command>
          <p>It appears here at once.</p>
        </div>
      )}
      {!empty && groups.length === 0 && <p className="empty">Everything there is waits for you.</p>}
      {groups.map((group) => (
        <BoardGroup key={group.id} group={group} {...shared} />
      ))}
    </section>
  )
}

function BoardGroup({ group, ...shared }: Shared & { group: Group }) {
  const [all, setAll] = useState(false)
  const shown = isEnded(group.id) && !all ? group.items.slice(0, ENDED_SHOWN) : group.items
  return (
    <section className="group" data-group={group.id} aria-labelledby={group.id}>
      <h3 id={group.id}>
        {group.title} <span className="count">{group.items.length}</span>
      </h3>
      <Items group={group} items={shown} {...shared} />
      {shown.length < group.items.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show all {group.items.length}
        </button>
      )}
    </section>
  )
}

function Items({ group, items, ...shared }: Shared & { group: Group; items: readonly Item[] }) {
  return (
    <ul className="card items">
      {items.map((item) => (
        <ItemRow key={`${item.projectNumber}/${item.number}`} item={item} group={group} {...shared} />
      ))}
    </ul>
  )
}

function ItemRow({ item, group, ...shared }: Shared & { item: Item; group: Group }) {
  const { words, tone } = STATE_WORDS[item.state]
  const action = actionOf(item)
  return (
    <li className="item">
      <span className="number">{itemLabel(item)}</span>
      <div className="what">
        <p className="title">{item.title}</p>
        {item.reason && <Reason text={item.reason} />}
        {item.state === 'in_review' && item.branch && (
          <p className="reason">
            See the change: <code>{`git diff ${shared.workspace.target}...${item.branch}`}</code>
          </p>
        )}
      </div>
      <div className="standing">
        <p className="facts">
          {factsOf(item).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {item.mergeCommit && (
            <span>
              merged as <code title={item.mergeCommit}>{shortCommit(item.mergeCommit)}</code>
            </span>
          )}
        </p>
        {/* A group named like the state has said it already. */}
        {words !== group.title && (
          <span className="badge" data-tone={tone}>
            {words}
          </span>
        )}
      </div>
      {action && <ActionButton key={action} item={item} action={action} {...shared} />}
    </li>
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

const ACTION_WORDS: Record<Action, { readonly idle: string; readonly busy: string }> = {
  approve: { idle: 'Approve', busy: 'Approving…' },
  reopen: { idle: 'Reopen', busy: 'Reopening…' },
}

function ActionButton({ item, action, live, onActed }: Shared & { item: Item; action: Action }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    if (busy) return
    setBusy(true)
    const problem = await act(live, item, action)
    await live.refresh()
    setBusy(false)
    onActed(item, action, problem)
  }
  const words = ACTION_WORDS[action]
  return (
    <button
      type="button"
      className={action === 'approve' ? 'action primary' : 'action'}
      aria-disabled={busy}
      aria-label={`${busy ? words.busy : words.idle} ${itemLabel(item)} ${item.title}`}
      onClick={() => void press()}
    >
      {busy ? words.busy : words.idle}
    </button>
  )
}

/** What went wrong, in words for the reader; null if nothing did. */
async function act({ client }: Live, item: Item, action: Action): Promise<string | null> {
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  try {
    if (action === 'approve') await client.approveItem({ params, body: {} })
    else await client.reopenItem({ params, body: {} })
    return null
  } catch (error) {
    return error instanceof ApiError ? `${error.message} ${error.hint}` : String(error)
  }
}
