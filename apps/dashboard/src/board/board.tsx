// The board: every item in its column.
import type { Conflict } from '@treadle/contracts/conflict'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { blockedWords } from '@treadle/contracts/words/plan'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Command } from '../parts/command.tsx'
import { factsOf } from '../parts/item-facts.model.ts'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { AddItem } from './add-item.tsx'
import { conflictOf, type Group, groupItems, isEnded } from './board.model.ts'
import { StartGoal } from './start-goal.tsx'

/** Ended items are many; this many are shown until the reader asks for all. */
const ENDED_SHOWN = 8
const OPEN_SHOWN = 50

interface BoardProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly now: number
}

export function Board({ live, snapshot, now }: BoardProps) {
  const { items, workspace, conflicts } = snapshot
  const [adding, setAdding] = useState<'item' | 'goal' | null>(null)
  const engine = workspace.config.engines.default
  const groups = groupItems(items, workspace.config.merge.approval)
  return (
    <section aria-labelledby="board">
      <div className="section-head">
        <h2 id="board" tabIndex={-1}>
          Work
        </h2>
        <p className="muted">
          {groups.map(({ title, items: members }) => `${members.length} ${title.toLowerCase()}`).join(', ')}
        </p>
        <button type="button" className="push" onClick={() => setAdding('goal')}>
          Start on a goal
        </button>
        <button type="button" className="primary" onClick={() => setAdding('item')}>
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
      <LeftOut leftOut={snapshot.leftOut} />
      <div className="stages">
        {groups.map((group) => (
          <Stage key={group.id} group={group} conflicts={conflicts} now={now} />
        ))}
      </div>
      {adding === 'item' && <AddItem live={live} engine={engine} onClose={() => setAdding(null)} />}
      {adding === 'goal' && <StartGoal live={live} engine={engine} onClose={() => setAdding(null)} />}
    </section>
  )
}

interface StageProps {
  readonly group: Group
  readonly conflicts: readonly Conflict[]
  readonly now: number
}

function Stage({ group, conflicts, now }: StageProps) {
  const [all, setAll] = useState(false)
  const shown = all ? group.items : group.items.slice(0, isEnded(group.id) ? ENDED_SHOWN : OPEN_SHOWN)
  return (
    <section className="stage" data-group={group.id} aria-labelledby={`stage-${group.id}`}>
      <h3 id={`stage-${group.id}`}>
        {group.title} <span className="count">{group.items.length}</span>
      </h3>
      <ul>
        {shown.map((item) => (
          <ItemCard
            key={`${item.projectNumber}/${item.number}`}
            item={item}
            conflict={conflictOf(item, conflicts)}
            group={group}
            now={now}
          />
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

/** A line about items that are not shown, so that nobody looks for them here. */
function LeftOut({ leftOut: { open, ended } }: Pick<Snapshot, 'leftOut'>) {
  if (open + ended === 0) return null
  return (
    <p className="muted">
      {open > 0 && `${open.toLocaleString()} more are not over and are not shown here. `}
      {ended > 0 && `${ended.toLocaleString()} more are over, longer ago than those here. `}
      <code>treadle list --status …</code> has them.
    </p>
  )
}

interface CardProps {
  readonly item: Item
  /** The conflict that keeps the item from being merged, and waits for the reader. */
  readonly conflict: Conflict | null
  readonly group: Group
  readonly now: number
}

function ItemCard({ item, conflict, group, now }: CardProps) {
  const { words, tone } = STATE_WORDS[item.state]
  const ref: ItemRef = { projectNumber: item.projectNumber, number: item.number }
  const why = blockedWords(item) ?? item.reason
  return (
    <li className="card item-card">
      <p className="title">
        <a href={hrefOf({ is: 'item', item: ref })}>
          <span className="number">{itemLabel(item)}</span> {item.title}
        </a>
      </p>
      {why && <p className="reason clamp">{why}</p>}
      {conflict !== null && (
        <p>
          <a href={hrefOf({ is: 'conflicts', id: conflict.id })}>Resolve the conflict</a>
        </p>
      )}
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
        <TimeAgo at={item.updatedAt} now={now} />
      </p>
    </li>
  )
}
