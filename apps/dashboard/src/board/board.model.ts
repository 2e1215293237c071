// The conflict of an item.
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'

/** The conflict of an item that waits for a person; null: there is none. */
export function conflictOf(item: Item, conflicts: readonly Conflict[]): Conflict | null {
  const found = conflicts.find(
    ({ projectNumber, issueNumber }) => projectNumber === item.projectNumber && issueNumber === item.number,
  )
  return found ?? null
}
