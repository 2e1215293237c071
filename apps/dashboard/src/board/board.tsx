// The work: every item as a board in the order of the flow, as a list, or as a graph of what waits for what.
import type { StoredEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { ReassignDialog } from '../parts/agent-orders.tsx'
import { Command } from '../parts/command.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { StartIdea } from '../parts/start-idea.tsx'
import { AddItem } from './add-item.tsx'
import { BulkBar } from './bulk.tsx'
import { useCardFacts, useLastCalls } from './card-facts.ts'
import { columnOf, columnsOf, keyOf } from './columns.model.ts'
import { DropBar } from './drop-bar.tsx'
import { filterItems, sortItems } from './filter.model.ts'
import { LinkDialog } from './link-dialog.tsx'
import { StartGoal } from './start-goal.tsx'
import type { Notice } from './use-notice.ts'
import { useWorkOrders } from './use-work-orders.ts'
import { WorkColumn } from './work-column.tsx'
import { WorkGraphView } from './work-graph.tsx'
import { WorkList } from './work-list.tsx'
import { readWorkQuery, type SortId, type WorkQuery, writeWorkQuery } from './work-query.model.ts'
import { WorkToolbar } from './work-toolbar.tsx'
import './work.css'
import './work-list.css'

interface BoardProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly events: readonly StoredEvent[]
  /** The view and the filters, as the address says them. */
  readonly query: string
  readonly now: number
}

/** The address changes without a new entry in the history: Back leaves the screen. */
function showQuery(query: WorkQuery): void {
  location.replace(hrefOf({ is: 'work', query: writeWorkQuery(query) }))
}

export function Board({ live, snapshot, events, query: written, now }: BoardProps) {
  const { items, workspace, conflicts, agents } = snapshot
  const query = useMemo(() => readWorkQuery(written), [written])
  const engine = workspace.config.engines.default
  // Whatever is typed and pressed is drawn before ten thousand items are looked at again.
  const looked = useDeferredValue(items)
  const shown = useMemo(() => filterItems(looked, query, engine), [looked, query, engine])
  const facts = useCardFacts(snapshot)
  const lastCalls = useLastCalls(looked, events)
  const columns = useMemo(() => columnsOf(shown), [shown])
  const sorted = useMemo(
    () => (query.view === 'board' ? shown : sortItems(shown, query, facts.costs)),
    [shown, query, facts.costs],
  )
  const work = useWorkOrders(looked)
  const { orders, selected, setSelected } = work
  const chosen = useMemo(() => shown.filter((item) => selected.has(keyOf(item))), [shown, selected])
  const isYourReview = workspace.config.merge.approval === 'human'
  const sortBy = (sort: SortId) =>
    showQuery({ ...query, sort, isDown: query.sort === sort ? !query.isDown : false })
  const [one] = chosen.length === 1 ? chosen : []
  const [only] = chosen.length === 1 && query.view === 'board' ? chosen : []
  const step = (item: Item) => (by: -1 | 1) => {
    const column = columns.find(({ id }) => id === columnOf(item))
    if (column !== undefined) orders.step(column, column.items.indexOf(item), by)
  }
  return (
    <section className="work" aria-labelledby="board">
      <Head live={live} engine={engine} />
      {items.length === 0 && (
        <div className="empty">
          <p>There is no work yet. Add an item here, or run in your repository</p>
          <Command>{'treadle add "What should change"'}</Command>
          <p>It appears here at once.</p>
        </div>
      )}
      <WorkToolbar query={query} items={looked} shown={shown.length} onQuery={showQuery} />
      <LeftOut leftOut={snapshot.leftOut} />
      {work.notice !== null && (
        <Said key={work.notice.number} notice={work.notice} onDismiss={work.dismiss} />
      )}
      {work.dragged !== null && <DropBar agents={agents} onDrop={work.dropOn} />}
      {work.handover !== null && (
        <ReassignDialog
          from={work.handover.from}
          to={work.handover.to}
          item={{ projectNumber: work.handover.item.projectNumber, number: work.handover.item.number }}
          live={live}
          snapshot={snapshot}
          onClose={work.endHandover}
        />
      )}
      {work.linked !== null && (
        <LinkDialog
          key={keyOf(work.linked)}
          item={work.linked}
          items={items}
          live={live}
          onClose={work.endLinked}
          onCame={(words) => work.tell(words, false)}
        />
      )}
      {chosen.length > 0 && (
        <BulkBar
          items={chosen}
          shown={shown.length}
          agents={agents}
          live={live}
          onStep={only === undefined ? null : step(only)}
          onLink={one === undefined ? null : () => orders.askLinks(keyOf(one))}
          onAll={() => setSelected(new Set(shown.map(keyOf)))}
          onClear={() => setSelected(new Set())}
          onCame={(words, isBad) => {
            work.tell(words, isBad)
            if (!isBad) setSelected(new Set())
          }}
        />
      )}
      {query.view === 'board' && (
        <div className="stages" data-dragging={work.dragged !== null || undefined}>
          {columns.map((column) => (
            <WorkColumn
              key={column.id}
              column={column}
              conflicts={conflicts}
              facts={facts}
              lastCalls={lastCalls}
              selected={selected}
              isYourReview={isYourReview}
              orders={orders}
              now={now}
            />
          ))}
        </div>
      )}
      {query.view === 'list' && (
        <WorkList
          items={sorted}
          query={query}
          facts={facts}
          selected={selected}
          now={now}
          onSort={sortBy}
          onSelect={orders.select}
        />
      )}
      {query.view === 'graph' && <WorkGraphView items={sorted} orders={orders} />}
    </section>
  )
}

function Head({ live, engine }: { live: Live; engine: string }) {
  const [adding, setAdding] = useState<'item' | 'idea' | 'goal' | null>(null)
  return (
    <div className="section-head">
      <h2 id="board" tabIndex={-1}>
        Work
      </h2>
      <p className="muted keys-hint">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>x</kbd> select,{' '}
        <kbd>a</kbd> what it waits for
      </p>
      <button type="button" className="push" onClick={() => setAdding('goal')}>
        New goal
      </button>
      <button type="button" onClick={() => setAdding('idea')}>
        New idea
      </button>
      <button type="button" className="primary" onClick={() => setAdding('item')}>
        Add item
      </button>
      {adding === 'item' && <AddItem live={live} engine={engine} onClose={() => setAdding(null)} />}
      {adding === 'idea' && <StartIdea live={live} onClose={() => setAdding(null)} />}
      {adding === 'goal' && <StartGoal live={live} engine={engine} onClose={() => setAdding(null)} />}
    </div>
  )
}

/** A line about items that are not shown, so that nobody looks for them here. */
function LeftOut({ leftOut: { open, ended } }: Pick<Snapshot, 'leftOut'>) {
  if (open + ended === 0) return null
  return (
    <p className="muted">
      {open > 0 && `${open.toLocaleString('en')} more open items are not shown here. `}
      {ended > 0 && `${ended.toLocaleString('en')} older items that are done are not shown here. `}
      <code>treadle list --status …</code> has them.
    </p>
  )
}

/** What came of a move, or why it was not made. */
function Said({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) {
  return (
    <div
      className="banner moved"
      data-tone={notice.isBad ? 'attention' : 'good'}
      role={notice.isBad ? 'alert' : undefined}
    >
      <p>{notice.words}</p>
      {notice.undo !== null && (
        <button type="button" onClick={notice.undo}>
          Undo
        </button>
      )}
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </div>
  )
}
