// Rows of the full-screen view.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { evidenceCell, stateCell } from '../items/item-table.ts'
import { paint } from '../output.ts'
import { clipColumns, padColumns } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'

export interface DrawnRow {
  /** Null for a row that cannot be chosen. */
  readonly item: Item | null
  readonly text: string
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

export function heading(text: string): DrawnRow {
  return { item: null, text: paint('bold', text) }
}

/** Where a list is empty; a search may be why. */
export function nothingWords({ search }: { readonly search: string }): string {
  return search === '' ? paint('green', 'Nothing needs you.') : `Nothing here matches “${plainText(search)}”.`
}

const NUMBER = 6
const STATE = 16
const EVIDENCE = 10
const AGENT = 9

/** An item in one line: number, state, title, evidence, agent, and something more where there is room. */
export function itemRow(item: Item, { columns }: ScreenSize, more = ''): DrawnRow {
  const extra = columns >= 100 ? AGENT + 2 : 0
  const last = more === '' ? 0 : 13
  const title = Math.max(10, columns - NUMBER - STATE - EVIDENCE - extra - last - 4)
  const cells: readonly (readonly [text: string, columns: number])[] = [
    [` ${itemLabel(item)}`, NUMBER],
    [stateCell(item), STATE],
    [plainText(item.title).replace(/\s+/g, ' '), title],
    [evidenceCell(item), EVIDENCE],
    ...(extra > 0 ? [[item.claimedByAgentId ?? '', AGENT] as const] : []),
    ...(last > 0 ? [[paint('dim', more), last] as const] : []),
  ]
  return {
    item,
    text: cells.map(([text, width]) => padColumns(clipColumns(text, width - 1), width)).join(' '),
  }
}
