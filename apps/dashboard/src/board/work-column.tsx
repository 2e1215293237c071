// A column of the board: its cards, drawn only where they are in sight, moved by drag and by keys.
import type { Conflict } from '@treadle/contracts/conflict'
import { type DragEvent, type KeyboardEvent, memo, useRef, useState } from 'react'
import { conflictOf } from './board.model.ts'
import type { CardFacts } from './card-facts.ts'
import { type Column, isOrdered, keyOf } from './columns.model.ts'
import { isOnTarget } from './link-targets.tsx'
import type { LinkKind } from './links.model.ts'
import { useWindow } from './use-window.ts'
import { CARD_HEIGHT, WorkCard } from './work-card.tsx'

/** What a reader can do on the board; the same functions as long as the board is there. */
export interface WorkOrders {
  readonly select: (key: string) => void
  readonly drag: (key: string | null) => void
  readonly drop: (column: Column, index: number) => void
  readonly step: (column: Column, index: number, by: -1 | 1) => void
  /** Says that the dragged item, or the one named, has to do with another. */
  readonly link: (toKey: string, kind: LinkKind, fromKey?: string) => void
  /** Asks what an item waits for. */
  readonly askLinks: (key: string) => void
}

interface ColumnProps {
  readonly column: Column
  readonly conflicts: readonly Conflict[]
  readonly facts: CardFacts
  readonly lastCalls: ReadonlyMap<string, string>
  readonly selected: ReadonlySet<string>
  /** Reviews wait for the reader. */
  readonly isYourReview: boolean
  readonly orders: WorkOrders
  readonly now: number
}

export const WorkColumn = memo(function WorkColumn(props: ColumnProps) {
  const { column, conflicts, facts, lastCalls, selected, isYourReview, orders, now } = props
  const { id, title, items } = column
  const { scroller, range, reveal } = useWindow<HTMLDivElement>(items.length, CARD_HEIGHT)
  const list = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState<string | null>(null)
  const [dropAt, setDropAt] = useState<number | null>(null)
  const found = stop === null ? -1 : items.findIndex((item) => keyOf(item) === stop)
  const stopAt = Math.max(0, found)
  const shown = indexesOf(range.from, range.to, items.length === 0 ? null : stopAt)
  const indexAt = (event: DragEvent) => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    return Math.min(items.length, Math.max(0, Math.round((event.clientY - top) / CARD_HEIGHT)))
  }
  const goTo = (index: number) => {
    const item = items[index]
    if (item === undefined) return
    setStop(keyOf(item))
    reveal(index)
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-key="${keyOf(item)}"] .title a`)?.focus({
        preventScroll: true,
      }),
    )
  }
  const onKey = (event: KeyboardEvent) => {
    const choice = keyChoice(event, stopAt, items.length)
    if (choice === null) return
    event.preventDefault()
    if (choice.is === 'go') goTo(choice.to)
    else if (choice.is === 'step') orders.step(column, stopAt, choice.by)
    else if (choice.is === 'beside') focusBeside(scroller.current, choice.by)
    else {
      const key = keyOf(items[stopAt] ?? { projectNumber: 0, number: 0 })
      if (choice.is === 'link') orders.askLinks(key)
      else orders.select(key)
    }
  }
  return (
    <section
      className="stage"
      data-column={id}
      data-empty={items.length === 0 || undefined}
      aria-labelledby={`stage-${id}`}
      // All of the column takes a card, its head too: a drop that nobody hears would tell no reason.
      onDragOver={(event) => {
        event.preventDefault()
        if (isOnTarget(event)) setDropAt(null)
        else setDropAt(isOrdered(id) ? indexAt(event) : 0)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropAt(null)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setDropAt(null)
        orders.drop(column, indexAt(event))
      }}
    >
      <h3 id={`stage-${id}`}>
        {title} <span className="count">{items.length.toLocaleString('en')}</span>
      </h3>
      <div ref={scroller} className="stage-scroll" data-drop={dropAt !== null || undefined}>
        {items.length === 0 && <p className="none muted">Nothing here</p>}
        {items.length > 0 && (
          <ul
            ref={list}
            aria-label={title}
            style={{ height: items.length * CARD_HEIGHT }}
            onKeyDown={onKey}
            onFocus={(event) => setStop(event.target.closest('li')?.dataset.key ?? null)}
          >
            {shown.map((index) => {
              const item = items[index]
              if (item === undefined) return null
              const key = keyOf(item)
              return (
                <WorkCard
                  key={key}
                  item={item}
                  conflict={conflicts.length === 0 ? null : conflictOf(item, conflicts)}
                  engine={item.engine ?? facts.standard}
                  costUSD={facts.costs.get(key)}
                  lastCall={lastCalls.get(key)}
                  isYours={isYourReview && item.state === 'in_review'}
                  index={index}
                  count={items.length}
                  isSelected={selected.has(key)}
                  isStop={index === stopAt}
                  isMovable
                  now={now}
                  onSelect={orders.select}
                  onDrag={orders.drag}
                  onLink={orders.link}
                />
              )
            })}
          </ul>
        )}
        {dropAt !== null && isOrdered(id) && items.length > 0 && (
          <div
            className="drop-line"
            aria-hidden="true"
            style={{ transform: `translateY(${dropAt * CARD_HEIGHT - 5}px)` }}
          />
        )}
      </div>
    </section>
  )
})

/** Those in sight, and the one that has the focus or would get it. */
function indexesOf(from: number, to: number, stop: number | null): number[] {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
  if (stop === null || (stop >= from && stop < to)) return indexes
  return stop < from ? [stop, ...indexes] : [...indexes, stop]
}

type KeyChoice =
  | { readonly is: 'go'; readonly to: number }
  | { readonly is: 'step'; readonly by: -1 | 1 }
  | { readonly is: 'beside'; readonly by: -1 | 1 }
  | { readonly is: 'select' }
  | { readonly is: 'link' }

function keyChoice(event: KeyboardEvent, at: number, count: number): KeyChoice | null {
  if (event.ctrlKey || event.metaKey) return null
  const by = event.key === 'ArrowUp' || event.key === 'ArrowLeft' ? -1 : 1
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown':
      if (event.altKey) return { is: 'step', by }
      return { is: 'go', to: Math.min(count - 1, Math.max(0, at + by)) }
    case 'ArrowLeft':
    case 'ArrowRight':
      return event.altKey ? null : { is: 'beside', by }
    case 'Home':
      return { is: 'go', to: 0 }
    case 'End':
      return { is: 'go', to: count - 1 }
    case 'x':
      return event.altKey ? null : { is: 'select' }
    case 'a':
      return event.altKey ? null : { is: 'link' }
    default:
      return null
  }
}

/** Moves the focus to the next column that has cards. */
function focusBeside(scroller: HTMLElement | null, by: -1 | 1): void {
  let at = scroller?.closest('.stage') ?? null
  while (at !== null) {
    at = by < 0 ? at.previousElementSibling : at.nextElementSibling
    const card = at?.querySelector<HTMLElement>('.title a[tabindex="0"]')
    card?.focus()
    if (card) return
  }
}
