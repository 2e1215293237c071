// One item on the board: what it is, what it waits for, how far it is and what it has cost.
import type { Conflict } from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { blockedWords } from '@treadle/contracts/words/plan'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import { timeAgo } from '@treadle/contracts/words/time'
import { memo, type ReactNode, useState } from 'react'
import { EvidenceBadge } from '../parts/evidence-badge.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { columnOf, columnTitle, keyOf } from './columns.model.ts'
import { LinkTargets } from './link-targets.tsx'
import type { LinkKind } from './links.model.ts'

/** Every card has this height, with the gap below it, so that a long column can be drawn in part. */
export const CARD_HEIGHT = 132

interface CardProps {
  readonly item: Item
  /** The conflict that keeps the item from being merged, and waits for the reader. */
  readonly conflict: Conflict | null
  readonly engine: string
  readonly costUSD: number | undefined
  readonly lastCall: string | undefined
  /** It waits for the reader's approval. */
  readonly isYours: boolean
  readonly index: number
  readonly count: number
  readonly isSelected: boolean
  /** The one that the Tab key stops at. */
  readonly isStop: boolean
  readonly isMovable: boolean
  readonly now: number
  readonly onSelect: (key: string) => void
  readonly onDrag: (key: string | null) => void
  readonly onLink: (toKey: string, kind: LinkKind) => void
}

export const WorkCard = memo(function WorkCard(props: CardProps) {
  const { item, index, count, isSelected, isStop, isMovable, onSelect, onDrag, onLink } = props
  const [isDragged, setDragged] = useState(false)
  const key = keyOf(item)
  const label = itemLabel(item)
  const why = whyOf(props)
  const badges = badgesOf(props)
  return (
    <li
      className="card work-card"
      data-key={key}
      data-selected={isSelected || undefined}
      data-roomy={why === null || badges.length === 0 || undefined}
      data-dragged={isDragged || undefined}
      draggable={isMovable}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${index * CARD_HEIGHT}px)` }}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', label)
        setDragged(true)
        onDrag(key)
      }}
      onDragEnd={() => {
        setDragged(false)
        onDrag(null)
      }}
    >
      <p className="title">
        <a
          href={hrefOf({ is: 'item', item: { projectNumber: item.projectNumber, number: item.number } })}
          draggable={false}
          tabIndex={isStop ? 0 : -1}
          dir="auto"
        >
          <span className="number">{label}</span> {item.title}
        </a>
        <input
          type="checkbox"
          checked={isSelected}
          tabIndex={-1}
          aria-label={`Select ${label}`}
          onChange={() => onSelect(key)}
        />
      </p>
      {why}
      {badges.length > 0 && <p className="badges">{badges}</p>}
      <Facts {...props} />
      <LinkTargets onLink={(kind) => onLink(key, kind)} />
    </li>
  )
})

/** The one line that says why it stands where it stands, or what its agent did last. */
function whyOf({ item, conflict, lastCall }: CardProps): ReactNode {
  if (conflict !== null)
    return (
      <p className="why">
        <a href={hrefOf({ is: 'conflicts', id: conflict.id })} draggable={false}>
          Resolve the conflict
        </a>
      </p>
    )
  const why = blockedWords(item) ?? lastCall ?? item.reason
  if (why === null) return null
  return (
    <p className="why" title={why} dir="auto">
      {why}
    </p>
  )
}

function badgesOf({ item, isYours }: CardProps): ReactNode[] {
  const { words, tone } = STATE_WORDS[item.state]
  const badges: ReactNode[] = []
  // A column named like the state has said it already.
  if (words !== columnTitle(columnOf(item)) && item.state !== 'in_review')
    badges.push(
      <span key="state" className="badge" data-tone={tone}>
        {words}
      </span>,
    )
  if (item.evidence !== null) badges.push(<EvidenceBadge key="evidence" level={item.evidence.level} />)
  if (isYours)
    badges.push(
      <span key="yours" className="badge" data-tone="attention">
        Your review
      </span>,
    )
  if (item.priority !== null)
    badges.push(
      <span
        key="priority"
        className="badge"
        data-tone="plain"
        title={`Priority ${item.priority}; smaller is sooner`}
      >
        P{item.priority}
      </span>,
    )
  return badges
}

function Facts({ item, engine, costUSD, now }: CardProps) {
  const agent = item.claimedByAgentId ?? item.assignedAgentId
  return (
    <p className="facts muted">
      <span>{agent ?? engine}</span>
      {costUSD !== undefined && <span title="Cost this month">{usd(costUSD)}</span>}
      <time dateTime={item.updatedAt} title={`Updated ${new Date(item.updatedAt).toLocaleString()}`}>
        {timeAgo(item.updatedAt, now).replace(/ ago$/, '')}
      </time>
    </p>
  )
}
