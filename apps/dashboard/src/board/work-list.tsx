// The work as a table that can be sorted, drawn only where it is in sight.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { memo } from 'react'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import type { CardFacts } from './card-facts.ts'
import { keyOf } from './columns.model.ts'
import { useWindow } from './use-window.ts'
import type { SortId, WorkQuery } from './work-query.model.ts'

const ROW_HEIGHT = 40

interface ListProps {
  readonly items: readonly Item[]
  readonly query: WorkQuery
  readonly facts: CardFacts
  readonly selected: ReadonlySet<string>
  readonly now: number
  readonly onSort: (by: SortId) => void
  readonly onSelect: (key: string) => void
}

const HEADS: readonly { readonly id: string; readonly words: string; readonly sort?: SortId }[] = [
  { id: 'number', words: '#', sort: 'number' },
  { id: 'title', words: 'Title', sort: 'title' },
  { id: 'state', words: 'State', sort: 'state' },
  { id: 'priority', words: 'Priority', sort: 'priority' },
  { id: 'evidence', words: 'Evidence', sort: 'evidence' },
  { id: 'agent', words: 'Agent or engine' },
  { id: 'waits', words: 'Waits for' },
  { id: 'cost', words: 'Cost', sort: 'cost' },
  { id: 'updated', words: 'Updated', sort: 'updated' },
]

export function WorkList({ items, query, facts, selected, now, onSort, onSelect }: ListProps) {
  const { scroller, range } = useWindow<HTMLElement>(items.length, ROW_HEIGHT, ROW_HEIGHT)
  const shown = items.slice(range.from, range.to)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section ref={scroller} className="card work-list" tabIndex={0} aria-label="List of items">
      <table aria-rowcount={items.length + 1} aria-label="Items">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="pick">
              <span className="unseen">Select</span>
            </th>
            {HEADS.map(({ id, words, sort }) => (
              <th key={id} scope="col" className={`at-${id}`} aria-sort={sortOf(query, sort)}>
                {sort === undefined ? (
                  words
                ) : (
                  <SortButton query={query} sort={sort} words={words} onSort={onSort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={range.from} />
          {shown.map((item, index) => (
            <ListRow
              key={keyOf(item)}
              item={item}
              index={range.from + index}
              engine={item.engine ?? facts.standard}
              costUSD={facts.costs.get(keyOf(item))}
              isSelected={selected.has(keyOf(item))}
              now={now}
              onSelect={onSelect}
            />
          ))}
          <Spacer rows={items.length - range.to} />
        </tbody>
      </table>
    </section>
  )
}

function Spacer({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it is an empty row, and nothing in it takes the focus
    <tr aria-hidden="true" className="spacer">
      <td colSpan={HEADS.length + 1} style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  )
}

interface SortButtonProps extends Pick<ListProps, 'query' | 'onSort'> {
  readonly sort: SortId
  readonly words: string
}

function SortButton({ query, sort, words, onSort }: SortButtonProps) {
  const arrow = query.isDown ? '↓' : '↑'
  return (
    <button type="button" onClick={() => onSort(sort)}>
      {words} <span aria-hidden="true">{query.sort === sort ? arrow : ''}</span>
    </button>
  )
}

function sortOf({ sort, isDown }: WorkQuery, by: SortId | undefined): 'ascending' | 'descending' | undefined {
  if (by === undefined || sort !== by) return undefined
  return isDown ? 'descending' : 'ascending'
}

interface RowProps extends Pick<ListProps, 'now' | 'onSelect'> {
  readonly item: Item
  readonly index: number
  readonly engine: string
  readonly costUSD: number | undefined
  readonly isSelected: boolean
}

const ListRow = memo(function ListRow({ item, index, engine, costUSD, isSelected, now, onSelect }: RowProps) {
  const { words, tone } = STATE_WORDS[item.state]
  const label = itemLabel(item)
  const ref = { projectNumber: item.projectNumber, number: item.number }
  return (
    <tr aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      <td className="pick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${label}`}
          onChange={() => onSelect(keyOf(item))}
        />
      </td>
      <td className="at-number">{label}</td>
      <th scope="row" className="at-title">
        <a href={hrefOf({ is: 'item', item: ref })} title={item.title} dir="auto">
          {item.title}
        </a>
      </th>
      <td className="at-state">
        <span className="badge" data-tone={tone}>
          {words}
        </span>
      </td>
      <td className="at-priority">{item.priority ?? ''}</td>
      <td className="at-evidence">
        {item.evidence !== null && <EvidenceBadge level={item.evidence.level} />}
      </td>
      <td className="at-agent">{item.claimedByAgentId ?? item.assignedAgentId ?? engine}</td>
      <td className="at-waits">{item.blockedBy.map((number) => `#${number}`).join(', ')}</td>
      <td className="at-cost">{costUSD === undefined ? '' : usd(costUSD)}</td>
      <td className="at-updated">
        <TimeAgo at={item.updatedAt} now={now} />
      </td>
    </tr>
  )
})
