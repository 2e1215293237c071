// The place that a move gives an item: between its new neighbours, so that nobody else has to be written.
import type { RankMove } from '@treadle/contracts/item'
import type { PlanLinks } from '../ports/items.ts'

const ENDED: ReadonlySet<string> = new Set(['done', 'withdrawn'])

type Placed = Pick<PlanLinks, 'number' | 'priority' | 'rank' | 'state'>
export type RankChoice =
  | { readonly is: 'placed'; readonly rank: number; readonly priority: number | null }
  /** Two neighbours are so close that no number is between them. */
  | { readonly is: 'crowded' }
  | { readonly is: 'refused'; readonly why: string }

/** `all`: the items of the project; `moved` is one of them, with the priority that it is to have. */
export function decideRank(
  all: readonly Placed[],
  moved: Pick<Placed, 'number' | 'priority'>,
  move: RankMove,
): RankChoice {
  const [side, named] = move.split(':')
  const beside = named === undefined ? null : Number(named)
  if (beside === moved.number) return { is: 'refused', why: `#${beside} cannot be moved beside itself` }
  const mate = all.find(({ number }) => number === beside)
  if (beside !== null && mate === undefined) return { is: 'refused', why: `there is no item #${beside}` }
  if (mate !== undefined && ENDED.has(mate.state))
    return { is: 'refused', why: `#${beside} is ${mate.state}, and has no place in the queue` }
  const priority = mate === undefined ? moved.priority : mate.priority
  const row = all
    .filter((item) => item.number !== moved.number && item.priority === priority && !ENDED.has(item.state))
    .toSorted((a, b) => a.rank - b.rank || a.number - b.number)
  // Whatever is added next has this rank and comes behind.
  const end = 1 + all.reduce((most, { number }) => Math.max(most, number), 0)
  const at = indexAt(row, side ?? '', beside)
  const rank = between(row[at - 1]?.rank, row[at]?.rank, end)
  return rank === null ? { is: 'crowded' } : { is: 'placed', rank, priority }
}

function indexAt(row: readonly Placed[], side: string, beside: number | null): number {
  if (beside === null) return side === 'first' ? 0 : row.length
  const at = row.findIndex(({ number }) => number === beside)
  return side === 'before' ? at : at + 1
}

function between(low: number | undefined, high: number | undefined, end: number): number | null {
  const above = high ?? end
  const rank = low === undefined ? Math.min(above, 1) - 1 : low + (above - low) / 2
  return (low === undefined || rank > low) && rank < above ? rank : null
}
