// May an agent keep a thought? As long as it gives signs of life, or may be about to come back.
import type { BudgetHold } from '@treadle/contracts/cost'

export interface ThoughtLeaseFacts {
  readonly now: number
  readonly claimedAt: number
  /** When the holder was last heard of; null: never. */
  readonly lastHeartbeatAt: number | null
  /** So long nobody else begins anew: who was killed may have the answer already. */
  readonly silentMs: number
}

export function mayKeepThought({ now, claimedAt, lastHeartbeatAt, silentMs }: ThoughtLeaseFacts): boolean {
  return now - Math.max(claimedAt, lastHeartbeatAt ?? 0) <= silentMs
}

/** Why nothing may be begun with the money that is left; null: it may. What was built is judged to the last call. */
export function heldBy(hold: BudgetHold, isJudge: boolean): string | null {
  if (hold.is === 'none' || (hold.is === 'claims' && isJudge)) return null
  return hold.why
}

export interface PickFacts<T> {
  /** What the agent has already, then what waits. */
  readonly open: readonly T[]
  /** Engines that are of no use at present. */
  readonly resting: readonly string[]
  /** Why nothing may be spent; null: money is there. */
  readonly hold: string | null
}

/** The thought that an agent is offered; null: none. */
export function pickThought<T extends { readonly engine: string }>({
  open,
  resting,
  hold,
}: PickFacts<T>): T | null {
  if (hold !== null) return null
  return open.find(({ engine }) => !resting.includes(engine)) ?? null
}
