// Holds: why nothing new is claimed at present. Work in hand goes on.
import type { BudgetHold } from '@treadle/contracts/cost'

export interface HoldFacts {
  readonly budget: BudgetHold
  /** The reason why conflicts hold claims up; null: they do not. */
  readonly conflicts: string | null
}

/** One sentence for each reason; none: items may be claimed. */
export function holdsOf({ budget, conflicts }: HoldFacts): string[] {
  return [...(budget.is === 'none' ? [] : [budget.why]), ...(conflicts === null ? [] : [conflicts])]
}
