// What a reader does on the board: selecting, dragging, moving. A move that is not possible says why.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { useMemo, useRef, useState } from 'react'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { BULK_WORDS, type BulkAction, splitBulk } from './bulk.model.ts'
import { doOne } from './bulk.tsx'
import { decideDrop, decideStep, keyOf, type Move } from './columns.model.ts'
import type { WorkOrders } from './work-column.tsx'

export interface Notice {
  readonly words: string
  readonly isBad: boolean
}

interface Work {
  readonly orders: WorkOrders
  readonly selected: ReadonlySet<string>
  readonly setSelected: (keys: ReadonlySet<string>) => void
  /** The item that is being dragged. */
  readonly dragged: Item | null
  readonly dropOn: (action: BulkAction) => void
  readonly notice: Notice | null
  readonly setNotice: (notice: Notice | null) => void
}

export function useWorkOrders(items: readonly Item[]): Work {
  const { act, say, mayDecide } = useActions()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [draggedKey, setDragged] = useState<string | null>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const dragged = draggedKey === null ? null : (items.find((item) => keyOf(item) === draggedKey) ?? null)
  // What came of an earlier move does not take the place of what was said later.
  const lastSaid = useRef(0)
  const refuse = (words: string) => {
    lastSaid.current += 1
    setNotice({ words, isBad: true })
  }
  const perform = async (item: Item, move: Move) => {
    if (move.is === 'nothing') return
    if (move.is === 'refused') return refuse(move.why)
    if (!mayDecide) return refuse(OWNERS_ALONE)
    lastSaid.current += 1
    const own = lastSaid.current
    setNotice(null)
    const params = { projectNumber: item.projectNumber, issueNumber: item.number }
    const label = itemLabel(item)
    const words = move.is === 'rank' ? move.words : `${label} is back in the queue.`
    const done = await act({
      key: `move:${keyOf(item)}`,
      done: words,
      failed: `${label} could not be moved.`,
      work: (client) =>
        move.is === 'rank'
          ? client.editItem({ params, body: { rank: move.rank } })
          : client.reopenItem({ params, body: {} }),
    })
    if (done && own === lastSaid.current) setNotice({ words, isBad: false })
  }
  const dropOn = (action: BulkAction) => {
    setDragged(null)
    if (dragged === null) return
    const [why] = splitBulk([dragged], action).left
    if (why !== undefined) return refuse(why)
    if (!mayDecide) return refuse(OWNERS_ALONE)
    const label = itemLabel(dragged)
    void act({
      key: `move:${keyOf(dragged)}`,
      done: `${label} was ${BULK_WORDS[action.is].done}.`,
      failed: `${label} could not be ${BULK_WORDS[action.is].done}.`,
      work: (client) => doOne(client, dragged, action),
    })
  }
  // Cards are drawn anew only if their item has changed, so what they call must stay the same.
  const latest = useRef({ dragged, perform, say })
  latest.current = { dragged, perform, say }
  const orders = useMemo<WorkOrders>(
    () => ({
      select: (key) =>
        setSelected((keys) => {
          const next = new Set(keys)
          if (!next.delete(key)) next.add(key)
          return next
        }),
      drag: setDragged,
      drop: (column, index) => {
        const { dragged: item } = latest.current
        setDragged(null)
        if (item !== null) void latest.current.perform(item, decideDrop(item, column, index))
      },
      step: (column, index, by) => {
        const item = column.items[index]
        if (item !== undefined) void latest.current.perform(item, decideStep(item, column, by))
      },
    }),
    [],
  )
  return { orders, selected, setSelected, dragged, dropOn, notice, setNotice }
}
