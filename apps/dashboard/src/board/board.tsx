// Where does everything stand?
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { timeAgo } from '@treadle/contracts/words/time'
import { useState } from 'react'
import { Command } from '../frame/notices.tsx'
import { hrefOf } from '../frame/route.model.ts'
import type { Snapshot } from '../live/live.model.ts'
import { AddItem } from './add-item.tsx'
import { factsOf, type Group, groupItems, isEnded } from './board.model.ts'

/** Ended items are many; this many are shown until the reader asks for all. */
const ENDED_SHOWN = 8

export function Board({ snapshot, now }: { snapshot: Snapshot; now: number }) {
  const { items, workspace } = snapshot
  const [adding, setAdding] = useState(false)
  const groups = groupItems(items, workspace.config.merge.approval)
  return (
    <section aria-labelledby="board">
      <div className="section-head">
        <h2 id="board" tabIndex={-1}>
          Board
        </h2>
        <p className="muted">
          {groups.map(({ title, items: members }) => `${members.length} ${title.toLowerCase()}`).join(', ')}
        </p>
        <button type="button" className="primary push" onClick={() => setAdding(true)}>
          Add an item
        </button>
      </div>
      {items.length === 0 && (
        <div className="empty">
          <p>There is no work yet. Add an item here, or run in your repository</p>
          <Command>{'treadle add "What is to be done"'}</Command>
          <p>It appears here at once.</p>
        </div>
      )}
      <div className="stages">
        {groups.map((group) => (
          <Stage key={group.id} group={group} now={now} />
        ))}
      </div>
      {adding && <AddItem onClose={() => setAdding(false)} />}
    </section>
  )
}

function Stage({ group, now }: { group: Group; now: number }) {
  const [all, setAll] = useState(false)
  const shown = isEnded(group.id) && !all ? group.items.slice(0, ENDED_SHOWN) : group.items
  return (
    <section className="stage" data-group={group.id} aria-labelledby={`stage-${group.id}`}>
      <h3 id={`stage-${group.id}`}>
        {group.title} <span className="count">{group.items.length}</span>
      </h3>
      <ul>
        {shown.map((item) => (
          <ItemCard key={`${item.projectNumber}/${item.number}`} item={item} group={group} now={now} />
        ))}
      </ul>
      {shown.length < group.items.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show all {group.items.length}
        </button>
      )}
    </section>
  )
}

function ItemCard({ item, group, now }: { item: Group['items'][number]; group: Group; now: number }) {
  const { words, tone } = STATE_WORDS[item.state]
  const ref: ItemRef = { projectNumber: item.projectNumber, number: item.number }
  return (
    <li className="card item-card">
      <p className="title">
        <a href={hrefOf({ is: 'item', item: ref })}>
          <span className="number">{itemLabel(item)}</span> {item.title}
        </a>
      </p>
      {item.reason && <p className="reason clamp">{item.reason}</p>}
      <p className="facts muted">
        {/* A stage named like the state has said it already. */}
        {words !== group.title && (
          <span className="badge" data-tone={tone}>
            {words}
          </span>
        )}
        {factsOf(item).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <time dateTime={item.updatedAt} title={new Date(item.updatedAt).toLocaleString()}>
          {timeAgo(item.updatedAt, now)}
        </time>
      </p>
    </li>
  )
}
