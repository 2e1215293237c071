// Is the holder of a reservation still there to settle it?

export interface HolderFacts {
  /** The claim under which it was made stands. */
  readonly claimed: boolean
  readonly reservedAt: number
  /** What is known of the agent's process; null if the daemon never started one. */
  readonly process: { readonly isThere: boolean; readonly startedAt: number } | null
}

/** A process that began later has not made it: its predecessor has, and died over it. */
export function isHolderGone({ claimed, reservedAt, process }: HolderFacts): boolean {
  if (!claimed) return true
  return process !== null && (!process.isThere || process.startedAt > reservedAt)
}
