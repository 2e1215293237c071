// How well a run went, in three numbers.
import type { AgentId } from '@treadle/contracts/ids'
import { ImprovementMetric } from '@treadle/contracts/metrics'
import type { Retrospective, RunMetrics } from '@treadle/contracts/retrospective'

export interface TaskFacts {
  readonly complete: boolean
  readonly attempts: number
  /** It was shown something to avoid. */
  readonly hadGotchas: boolean
}

export interface RunTimes {
  readonly startedAt: string
  readonly endedAt: string
}

const MINUTE_MS = 60_000

export function metricsOf(tasks: readonly TaskFacts[], { startedAt, endedAt }: RunTimes): RunMetrics {
  const warned = tasks.filter(({ hadGotchas }) => hadGotchas)
  return {
    first_pass_success: shareOf(tasks.filter(isFirstPass).length, tasks.length),
    gotcha_effectiveness: shareOf(warned.filter(isFirstPass).length, warned.length),
    build_duration_minutes: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / MINUTE_MS,
  }
}

/** The figures of a look back as records of their own, for the agent whose run it was. */
export function improvementsOf(
  { runId, metrics, reviewedAt }: Pick<Retrospective, 'runId' | 'metrics' | 'reviewedAt'>,
  agentId: AgentId,
): ImprovementMetric[] {
  return ImprovementMetric.shape.metric.options.map((metric) => ({
    runId,
    agentId,
    metric,
    value: metrics[metric],
    recordedAt: reviewedAt,
  }))
}

function isFirstPass({ complete, attempts }: TaskFacts): boolean {
  return complete && attempts === 1
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}
