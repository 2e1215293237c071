// Counts what a day, a week or a month has brought.
import type { Config } from '@treadle/contracts/config'
import type { MetricsPeriod } from '@treadle/contracts/metrics'
import type { MetricsReport } from '@treadle/contracts/metrics-report'
import type { Store } from '../../ports/store.ts'
import { PERIOD_MS } from './rates.ts'
import { metricsReport } from './report.ts'

export interface MetricsReportWorld {
  readonly store: Pick<Store, 'metrics'>
  readonly now: () => Date
  readonly config: () => Config
}

export async function runMetricsReport(
  { store, now, config }: MetricsReportWorld,
  period: MetricsPeriod,
): Promise<MetricsReport> {
  const until = now()
  const since = new Date(until.getTime() - PERIOD_MS[period])
  const before = new Date(since.getTime() - PERIOD_MS[period])
  const { agents, monitoring } = config()
  const { metrics } = store
  return metricsReport({
    period,
    now: until,
    target: { min: monitoring.queueLow, max: monitoring.queueHigh },
    dailyBudgetUSD: agents.dailyBudgetUSD,
    monthlyBudgetUSD: agents.monthlyBudgetUSD,
    tallies: await metrics.tally({ now: until, since }),
    both: await metrics.tally({ now: until, since: before }),
    ideas: await metrics.ownIdeas({ since, until }),
    gates: await metrics.gates({ since, until }),
    gatesBefore: await metrics.gates({ since: before, until: since }),
  })
}
