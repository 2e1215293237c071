// Whether the owner should be asked to roll back the crew's own improvements, because they do not do well. Pure.
import type { MetricsReport, Trend } from '@treadle/contracts/metrics-report'

/** Fewer points than these, of at least so many merged changes. */
const SATISFACTION_MIN = 0.6
const VALUED_MIN = 3
/** Checks that passed fell by more than this share. */
const REGRESSION = 0.1
/** What an agent should complete in a day. */
const PER_DAY_MIN = 2

export interface PlannedRollbackFacts {
  readonly isOn: boolean
  /** Of the last week, beside the one before it. */
  readonly report: Pick<
    MetricsReport,
    'satisfaction' | 'valued' | 'quality' | 'completedPerAgentAndDay' | 'ideas'
  >
  /** The crew thought of something itself two weeks ago or earlier. */
  readonly isOld: boolean
}

type PlannedReason = 'satisfaction' | 'quality' | 'targets'

export interface PlannedRollback {
  readonly reason: PlannedReason
  readonly why: string
}

/** Null: nothing speaks for it. What nobody knows speaks for nothing. */
export function plannedRollback({ isOn, report, isOld }: PlannedRollbackFacts): PlannedRollback | null {
  if (!isOn) return null
  const { satisfaction, valued, quality, completedPerAgentAndDay } = report
  if (satisfaction !== null && valued >= VALUED_MIN && satisfaction < SATISFACTION_MIN)
    return {
      reason: 'satisfaction',
      why: `people gave what was merged in the last 30 days ${percent(satisfaction)} of the points, fewer than ${percent(SATISFACTION_MIN)}`,
    }
  for (const [name, trend] of [
    ['tests', quality.tests],
    ['the linter', quality.linting],
  ] as const) {
    const fell = fallOf(trend)
    if (fell > REGRESSION)
      return {
        reason: 'quality',
        why: `of the checks of ${name}, ${percent(trend.now ?? 0)} passed in the last week, after ${percent(trend.before ?? 0)} in the week before`,
      }
  }
  const { now: rate, before } = completedPerAgentAndDay
  if (isOld && rate !== null && before !== null && rate < PER_DAY_MIN && rate <= before)
    return {
      reason: 'targets',
      why: `an agent completes ${rounded(rate)} items a day, ${rounded(before)} in the week before; ${PER_DAY_MIN} are the aim`,
    }
  return null
}

function fallOf({ now, before }: Trend): number {
  return now === null || before === null ? 0 : before - now
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}
