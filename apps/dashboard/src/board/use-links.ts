// Links between items as a reader makes them: dropped on one another, and taken back.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { useState } from 'react'
import { OWNERS_ALONE, useActions } from '../parts/actions.tsx'
import { keyOf } from './columns.model.ts'
import { decideLink, type LinkChanges, type LinkKind, linksOf } from './links.model.ts'
import type { Notices } from './use-notice.ts'

interface LinkOrders {
  readonly link: (item: Item, to: Item, kind: LinkKind) => Promise<void>
  /** The item whose links are asked about; null: none. */
  readonly linked: Item | null
  readonly askLinks: (key: string) => void
  readonly endLinked: () => void
}

export function useLinks(items: readonly Item[], { tell, begin }: Notices): LinkOrders {
  const { act, mayDecide } = useActions()
  const change = (item: Item, body: LinkChanges, words: string) =>
    act({
      key: `move:${keyOf(item)}`,
      done: words,
      failed: `${itemLabel(item)} stays as it is.`,
      work: (client) =>
        client.editItem({ params: { projectNumber: item.projectNumber, issueNumber: item.number }, body }),
    })
  const [linkedKey, setLinked] = useState<string | null>(null)
  const link: LinkOrders['link'] = async (item, to, kind) => {
    const choice = decideLink(item, to, kind)
    if (choice.is === 'refused') return tell(choice.why, true)
    if (!mayDecide) return tell(OWNERS_ALONE, true)
    const own = begin()
    const undo = async () => {
      const undone = begin()
      const words = `${itemLabel(item)} is as it was before.`
      if (await change(item, linksOf(item), words)) tell(words, false, { own: undone })
    }
    if (await change(item, choice.changes, choice.words)) tell(choice.words, false, { own, undo })
  }
  return {
    link,
    linked: items.find((item) => keyOf(item) === linkedKey) ?? null,
    askLinks: setLinked,
    endLinked: () => setLinked(null),
  }
}
