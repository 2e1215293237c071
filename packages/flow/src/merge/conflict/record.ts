// How the record of a conflict follows the moves of its item. Pure; advance.ts writes it in the same transaction.
import type { ItemMove } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'

export type RecordChange =
  | { readonly is: 'open'; readonly files: readonly string[]; readonly why: string }
  | { readonly is: 'resolving' }
  | { readonly is: 'close'; readonly how: string }

/** What failed is told in full on the item. */
const HOW_MAX = 300

/** Null: the move is not about a conflict, or none is open. */
export function recordAfter(before: Item, move: ItemMove): RecordChange | null {
  switch (move.type) {
    case 'merge.conflicted':
      return { is: 'open', files: move.files, why: move.why }
    case 'merge.resumed':
      return { is: 'resolving' }
    case 'merge.landed':
      return { is: 'close', how: 'merged' }
    case 'merge.delivered':
      return { is: 'close', how: 'resolved on the branch' }
    case 'merge.failed':
      return { is: 'close', how: `sent back: ${move.why}`.slice(0, HOW_MAX) }
    case 'item.withdrawn':
      return before.state === 'conflicted' ? { is: 'close', how: `withdrawn by ${move.by}` } : null
    case 'item.reopened':
      return before.state === 'conflicted' ? { is: 'close', how: `aborted by ${move.by}` } : null
    case 'item.escalated':
    case 'deadline.passed':
      return before.state === 'merging' ? { is: 'close', how: 'left to a person' } : null
    default:
      return null
  }
}
