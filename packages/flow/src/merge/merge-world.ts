// What merging needs of the world. Types and names only.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Approval, Item } from '@treadle/contracts/item'
import type { Clock } from '../ports/clock.ts'
import type { Gates } from '../ports/gates.ts'
import type { MergeGit } from '../ports/git.ts'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import type { ReceiptFacts } from './receipt.ts'

export interface MergeWorld extends MovingWorld {
  readonly store: Pick<Store, 'items' | 'events' | 'runs' | 'reviews' | 'builds'>
  readonly git: MergeGit
  readonly gates: Gates
  readonly target: string
  /** The whole suite; null if none is known. */
  readonly testCommand: string | null
  /** Where a throw-away checkout may be put. */
  readonly scratch: (name: string) => string
  /** Where the checks are run. */
  readonly platform: ReceiptFacts['platform']
  readonly sleep: Clock['sleep']
  readonly signal: AbortSignal
}

/** An item whose delivery is being merged. */
export type DeliveredItem = Item & { readonly headCommit: string; readonly branch: string }
export type ApprovedItem = DeliveredItem & { readonly approval: Approval }

/** How often a target that moves meanwhile is tried again. */
export const SWAPS_MAX = 5

export function refOf({ projectNumber, number }: ItemRef): ItemRef {
  return { projectNumber, number }
}

export function scratchOf(world: Pick<MergeWorld, 'scratch'>, item: ItemRef): string {
  return world.scratch(`merge-${item.projectNumber}-${item.number}`)
}
