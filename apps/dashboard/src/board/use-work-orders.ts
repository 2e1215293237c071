// What a reader does on the board: selecting, dragging, moving. A move that is not possible says why.
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { useEffect, useMemo, useRef, useState } from 'react'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { BULK_WORDS, type BulkAction, cameOfOne, splitBulk } from './bulk.model.ts'
import { doOne } from './bulk.tsx'
import { decideDrop, decideStep, keyOf, type Move } from './columns.model.ts'
import { useLinks } from './use-links.ts'
import { type Notice, type Notices, useNotice } from './use-notice.ts'
import type { WorkOrders } from './work-column.tsx'

/** An item that somebody has in hand, dropped on another agent. */
interface Handover {
  readonly item: Item
  readonly from: AgentId
  readonly to: AgentId
}

interface Work {
  readonly orders: WorkOrders
  readonly selected: ReadonlySet<string>
  readonly setSelected: (keys: ReadonlySet<string>) => void
  /** The item that is being dragged. */
  readonly dragged: Item | null
  readonly dropOn: (action: BulkAction) => void
  /** What is asked before it is done; null: nothing. */
  readonly handover: Handover | null
  readonly endHandover: () => void
  /** The item whose links are asked about; null: none. */
  readonly linked: Item | null
  readonly endLinked: () => void
  readonly notice: Notice | null
  readonly tell: Notices['tell']
  readonly dismiss: () => void
}

export function useWorkOrders(items: readonly Item[]): Work {
  const { act, mayDecide } = useActions()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [draggedKey, setDragged] = useState<string | null>(null)
  const dragged = draggedKey === null ? null : (items.find((item) => keyOf(item) === draggedKey) ?? null)
  const notices = useNotice()
  const { notice, tell, begin, dismiss } = notices
  const refuse = (words: string) => tell(words, true)
  const perform = async (item: Item, move: Move) => {
    if (move.is === 'nothing') return
    if (move.is === 'refused') return refuse(move.why)
    if (!mayDecide) return refuse(OWNERS_ALONE)
    const own = begin()
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    const label = itemLabel(item)
    const words = move.is === 'rank' ? move.words : `${label} is back in the queue, under Backlog.`
    const done = await act({
      key: `move:${keyOf(item)}`,
      done: words,
      failed: `${label} could not be moved.`,
      work: (client) =>
        move.is === 'rank'
          ? client.editItem({ params, body: { rank: move.rank } })
          : client.reopenItem({ params, body: {} }),
    })
    if (done) tell(words, false, { own })
  }
  const { link, askLinks, ...links } = useLinks(items, notices)
  const { dropOn, handover, endHandover } = useDropOn(dragged, notices)
  useDragEnd(draggedKey !== null, setDragged)
  // Cards are drawn anew only if their item has changed, so what they call must stay the same.
  const latest = useRef({ items, dragged, perform, dismiss, link })
  latest.current = { items, dragged, perform, dismiss, link }
  const orders = useMemo<WorkOrders>(
    () => ({
      select: (key) =>
        setSelected((keys) => {
          const next = new Set(keys)
          if (!next.delete(key)) next.add(key)
          return next
        }),
      drag: (key) => {
        // What was said last stands where the dragged item can be dropped.
        if (key !== null) latest.current.dismiss()
        setDragged(key)
      },
      drop: (column, index) => {
        const { dragged: item } = latest.current
        setDragged(null)
        if (item !== null) void latest.current.perform(item, decideDrop(item, column, index))
      },
      link: (toKey, kind, fromKey) => {
        const { items: known, dragged: item } = latest.current
        setDragged(null)
        const from = fromKey === undefined ? item : known.find((each) => keyOf(each) === fromKey)
        const to = known.find((each) => keyOf(each) === toKey)
        if (from && to) void latest.current.link(from, to, kind)
      },
      askLinks,
      step: (column, index, by) => {
        const item = column.items[index]
        if (item !== undefined) void latest.current.perform(item, decideStep(item, column, by))
      },
    }),
    [askLinks],
  )
  return {
    orders,
    selected,
    setSelected,
    dragged,
    dropOn: (action) => {
      setDragged(null)
      void dropOn(action)
    },
    handover,
    endHandover,
    ...links,
    notice,
    tell,
    dismiss,
  }
}

/** Drops the dragged item on a priority or an agent; work that another has in hand is asked about first. */
function useDropOn(dragged: Item | null, { tell, begin }: Notices) {
  const { act, mayDecide } = useActions()
  const [handover, setHandover] = useState<Handover | null>(null)
  const dropOn = async (action: BulkAction) => {
    if (dragged === null) return
    const [why] = splitBulk([dragged], action).left
    if (why !== undefined) return tell(why, true)
    if (!mayDecide) return tell(OWNERS_ALONE, true)
    const own = begin()
    const from = dragged.claimedByAgentId
    if (from !== null && action.is === 'assign' && action.to !== null)
      return setHandover({ item: dragged, from, to: action.to })
    const words = cameOfOne(dragged, action)
    const done = await act({
      key: `move:${keyOf(dragged)}`,
      done: words,
      failed: `${itemLabel(dragged)} could not be ${BULK_WORDS[action.is].done}.`,
      work: (client) => doOne(client, dragged, action),
    })
    if (done) tell(words, false, { own })
  }
  return { dropOn, handover, endHandover: () => setHandover(null) }
}

/** A card that goes while it is dragged cannot tell of the end; but a pointer that moves freely drags nothing. */
function useDragEnd(isDragging: boolean, setDragged: (key: null) => void): void {
  useEffect(() => {
    if (!isDragging) return
    const end = () => setDragged(null)
    addEventListener('pointermove', end)
    return () => removeEventListener('pointermove', end)
  }, [isDragging, setDragged])
}
