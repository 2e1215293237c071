// The book of what was spent and what is set aside, as the flow needs it.
import type { CostEntry, CostId, CostSeries, Period, Reservation, Tokens } from '@treadle/contracts/cost'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'

/** Size and cost of an item that was delivered. */
export interface PastItem {
  readonly size: number
  readonly costUSD: number
}

export type Logged = 'logged' | 'replaced' | 'duplicate'

interface Sum {
  readonly costUSD: number
  readonly calls: number
  readonly tokens: Tokens
}
interface Sums extends Sum {
  readonly assumedUSD: number
  readonly agents: readonly (Sum & { readonly agentId: AgentId })[]
  readonly items: readonly (Sum & { readonly projectNumber: number; readonly itemNumber: number | null })[]
}

/** A threshold of one budget with one limit; another limit has thresholds of its own. */
interface Crossing {
  readonly period: Period
  readonly startsAt: Date
  readonly limitUSD: number
  readonly percent: number
}

/** Who was stopped because a budget was used up. */
interface BudgetStop {
  readonly agents: readonly AgentId[]
  readonly at: Date
}

export interface Ledger {
  /** Until the transaction ends nobody else decides on the sums. */
  lock(): Promise<void>
  /** A real figure replaces an assumed one under the same id; anything else under a known id changes nothing. */
  log(entry: CostEntry): Promise<Logged>
  /** As it is booked. */
  find(id: CostId): Promise<CostEntry | null>
  spentSince(at: Date): Promise<number>
  /** All that was booked for an item, whoever spent it; null if nothing was. */
  spentOn(item: ItemRef): Promise<number | null>
  sumsSince(at: Date): Promise<Sums>
  /** What each of so many days (UTC) has cost, from the first on, with those on which nothing was spent. */
  byDay(first: Date, days: number): Promise<CostSeries['days']>
  /** Calls begun since a moment. */
  callsSince(at: Date): Promise<number>
  open(): Promise<Reservation[]>
  /** False if a reservation with this id was made before. */
  reserve(reservation: Reservation): Promise<boolean>
  /** The reservation that was open until now; null if there is none. */
  close(id: CostId, as: 'settled' | 'released' | 'assumed', at: Date): Promise<Reservation | null>
  /** False if it was crossed before. */
  cross(crossing: Crossing, spentUSD: number, at: Date): Promise<boolean>
  hasCrossed(crossing: Crossing): Promise<boolean>
  /** Size and cost of the last items that were delivered. */
  delivered(limit: number): Promise<PastItem[]>
  /** The stop that has not ended. */
  stop(): Promise<BudgetStop | null>
  beginStop(stop: BudgetStop): Promise<void>
  endStop(at: Date): Promise<void>
}
