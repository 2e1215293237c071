// What is shown while figures cannot be calculated: those of before, and that they are.
import type { CrewMetrics, Stale } from '@treadle/contracts/metrics'

const WHY_MAX = 1_000

/** A failure that goes on has begun when it began. */
export function staleAfter(before: Stale | null, { why, now }: { why: string; now: Date }): Stale {
  return { since: before?.since ?? now.toISOString(), why: why.slice(0, WHY_MAX) || 'unknown' }
}

export function withStale(figures: CrewMetrics, stale: Stale): CrewMetrics {
  return { ...figures, agents: figures.agents.map((agent) => ({ ...agent, stale })), stale }
}
