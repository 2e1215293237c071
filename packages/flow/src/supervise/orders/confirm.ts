// Which orders have to be confirmed, and whether a confirmation still holds.
import type { Order } from '@treadle/contracts/order'

/** How long a yes counts. */
export const CONFIRM_MS = 60_000

const DESTRUCTIVE: Readonly<Record<Order['is'], boolean>> = {
  emergency_stop: true,
  stop_all: true,
  pause_all: false,
  resume_all: false,
  reassign: true,
  reset: true,
  recover: true,
  purge: true,
  undo_purge: false,
  rollback: true,
}

export function needsConfirm(order: Order): boolean {
  return DESTRUCTIVE[order.is]
}

/** What was shown to whoever confirms. */
export interface Ticket {
  readonly order: string
  readonly impact: string
  readonly expiresAt: number
}
export interface ConfirmFacts {
  readonly needed: boolean
  /** The order and its impact as they are now. */
  readonly order: string
  readonly impact: string
  /** Null: none was given, or it is unknown or used up. */
  readonly ticket: Ticket | null
  readonly now: number
}
export type ConfirmChoice = { readonly is: 'go' } | { readonly is: 'ask'; readonly why: string }

export function judgeConfirm({ needed, order, impact, ticket, now }: ConfirmFacts): ConfirmChoice {
  if (!needed) return { is: 'go' }
  if (ticket === null) return { is: 'ask', why: 'this has to be confirmed' }
  if (ticket.order !== order) return { is: 'ask', why: 'another order was confirmed' }
  if (now >= ticket.expiresAt) return { is: 'ask', why: 'the confirmation is too old' }
  if (ticket.impact !== impact) return { is: 'ask', why: 'what it will hit has changed' }
  return { is: 'go' }
}
