// Holds: why nothing new is claimed at present. Work in hand goes on.
import type { BudgetHold } from '@treadle/contracts/cost'

export interface HoldFacts {
  readonly budget: BudgetHold
  /** Why the tests cannot be believed yet; null: they can, as far as is known. */
  readonly tests: string | null
  /** The reason why conflicts hold claims up; null: they do not. */
  readonly conflicts: string | null
  /** The reason why the machine holds claims up; null or left out: it does not. */
  readonly machine?: string | null
}

/** One sentence for each reason; none: items may be claimed. */
export function holdsOf({ budget, tests, conflicts, machine = null }: HoldFacts): string[] {
  const reasons = [budget.is === 'none' ? null : budget.why, tests, conflicts, machine]
  return reasons.filter((why) => why !== null)
}
