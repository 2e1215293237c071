// The conflict of an item, and titles that are cut.
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'

/** The conflict of an item that waits for a person; null: there is none. */
export function conflictOf(item: Item, conflicts: readonly Conflict[]): Conflict | null {
  const found = conflicts.find(
    ({ projectNumber, issueNumber }) => projectNumber === item.projectNumber && issueNumber === item.number,
  )
  return found ?? null
}

/** A text cut at a word, so that its end reads as one. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
