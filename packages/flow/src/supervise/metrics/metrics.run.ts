// Figures for whoever asks: calculated anew each time, the last known ones while that fails.
import type { Config } from '@treadle/contracts/config'
import type { CrewMetrics, MetricsPeriod, Stale } from '@treadle/contracts/metrics'
import { messageOf } from '../../fault.ts'
import type { Store } from '../../ports/store.ts'
import { crewMetrics, PERIOD_MS } from './rates.ts'
import { staleAfter, withStale } from './stale.ts'

export interface MetricsWorld {
  readonly store: Pick<Store, 'metrics'>
  readonly now: () => Date
  readonly config: () => Config
  /** Told when a failure begins, and when it is over. */
  readonly onFailing: (period: MetricsPeriod, error: unknown) => void
  readonly onMended: (period: MetricsPeriod) => void
}

export type Measured =
  | { readonly is: 'measured'; readonly figures: CrewMetrics }
  /** It failed, and nothing is known of before. */
  | { readonly is: 'unknown'; readonly stale: Stale }

/** What is remembered from one time to the next, for one period. */
interface Memory {
  last: CrewMetrics | null
  failing: Stale | null
  underWay: Promise<Measured> | null
}
export type MetricsMemory = Map<MetricsPeriod, Memory>

/** Who asks while the same is being calculated gets that: many screens cost as much as one. */
export function runMetrics(
  world: MetricsWorld,
  memory: MetricsMemory,
  period: MetricsPeriod,
): Promise<Measured> {
  const known = memory.get(period) ?? { last: null, failing: null, underWay: null }
  memory.set(period, known)
  known.underWay ??= measure(world, known, period).finally(() => {
    known.underWay = null
  })
  return known.underWay
}

async function measure(world: MetricsWorld, known: Memory, period: MetricsPeriod): Promise<Measured> {
  const now = world.now()
  try {
    const since = new Date(now.getTime() - PERIOD_MS[period])
    const { queueLow: min, queueHigh: max } = world.config().monitoring
    const tallies = await world.store.metrics.tally({ now, since })
    const figures = crewMetrics(tallies, { period, now, target: { min, max } })
    if (known.failing !== null) world.onMended(period)
    known.failing = null
    known.last = figures
    return { is: 'measured', figures }
  } catch (error) {
    if (known.failing === null) world.onFailing(period, error)
    known.failing = staleAfter(known.failing, { why: messageOf(error), now })
    if (known.last === null) return { is: 'unknown', stale: known.failing }
    return { is: 'measured', figures: withStale(known.last, known.failing) }
  }
}
