// What the database counts for the metrics. Types only; rates.ts makes rates of it.
import type { AgentId } from '@treadle/contracts/ids'
import type { CompletedCounts, ImprovementMetric } from '@treadle/contracts/metrics'

/** What has no total of its own is of the window. */
export interface Counted {
  /** Items for one that builds, reviews for one that reviews. */
  readonly completed: CompletedCounts
  /** From the claim to the completion, all of them together. */
  readonly cycleMs: number
  readonly cycles: number
  /** First reviews of its items: those that were decided, and how. */
  readonly firstReviews: { readonly approved: number; readonly decided: number }
  /** Reviews of the items it completed, and how many of those had any. */
  readonly reviews: number
  readonly reviewedItems: number
  readonly merges: { readonly passed: number; readonly failed: number }
  readonly errors: number
  readonly crashes: number
  /** Items that it had in hand. */
  readonly items: number
  /** All that the items it completed have cost, whoever spent it; for a reviewer, what it spent itself. */
  readonly itemsCostUSD: number
  /** Of the looks back on its runs. */
  readonly firstPass: { readonly sum: number; readonly runs: number }
}

export interface AgentTally {
  readonly agentId: AgentId
  /** From when on: the window's start, or later if the agent is newer or was reset since. */
  readonly since: Date
  /** From its reset on. */
  readonly own: Counted
  /** As if it had never been reset: what the crew did stays done. */
  readonly all: Counted
  /** A reset leaves money alone. */
  readonly costUSD: number
  /** In working, reviewing or ideating, of the time since `since`; nothing is known if `knownMs` is 0. */
  readonly busyMs: number
  readonly knownMs: number
}

export interface LoopTally {
  readonly queueDepth: number
  /** From the end of a delivered run to the next claim of the same agent. */
  readonly handoffMs: number
  readonly handoffs: number
  /** Agents at work in the last 24 hours, and those of them that came full circle; null if nobody ideates here. */
  readonly circle: { readonly agents: number; readonly whole: number } | null
  /** Categories of the items of the last 30 days; null if no item ever had one. */
  readonly categories: number | null
}

export interface Tallies {
  readonly agents: readonly AgentTally[]
  /** Items that anybody had in hand; two agents with one item are one. */
  readonly items: number
  readonly loop: LoopTally
}

export interface MetricsWindow {
  readonly now: Date
  readonly since: Date
}

/** From just after `since` to `until`. */
export interface TimeSpan {
  readonly since: Date
  readonly until: Date
}

/** Improvements that the crew thought of itself, within a span. */
export interface OwnIdeasTally {
  readonly generated: number
  readonly merged: number
  readonly withdrawn: number
  /** Answers that held an idea that was not taken. */
  readonly refused: number
  /** Answers that nothing is worth doing. */
  readonly nothing: number
  /** Looks that nobody has answered. */
  readonly failed: number
  /** Categories that were looked at. */
  readonly categories: number
  /** What looking has cost. */
  readonly lookMicros: number
  /** All that the merged ones have cost, whoever spent it and whenever. */
  readonly itemMicros: number
  /** Items of anybody that were completed. */
  readonly completed: number
  /** From an agent's last claim before an idea of its own to the first claim of that idea, all of them together. */
  readonly circleMs: number
  readonly circles: number
  /** The mean of the points of what was merged in the 30 days before the end. */
  readonly points: number | null
  readonly valued: number
}

export interface GateTally {
  readonly gate: string
  readonly passed: number
  readonly failed: number
}

export interface Metrics {
  ownIdeas(span: TimeSpan): Promise<OwnIdeasTally>
  gates(span: TimeSpan): Promise<GateTally[]>
  /** One look that writes nothing, waits for nobody and gives up when it takes too long. */
  tally(window: MetricsWindow): Promise<Tallies>
}

export interface ImprovementMetrics {
  /** Each figure of a run once. */
  record(entries: readonly ImprovementMetric[]): Promise<void>
  /** Newest first. */
  list(filter: {
    agentId?: AgentId | undefined
    metric?: ImprovementMetric['metric'] | undefined
    limit: number
  }): Promise<ImprovementMetric[]>
}
